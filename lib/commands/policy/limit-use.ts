import 'server-only'
import type { Kysely } from 'kysely'
import type { DraftApproval } from '#lib/commands/approvals/approval.ts'
import type { DraftLimit, LimitUse } from '#lib/commands/command.ts'
import type { CommandRow } from '#lib/commands/command-table.ts'
import { kindNamed } from '#lib/commands/registry.ts'
import { config } from '#lib/config/config.ts'
import type { Tables } from '#lib/store/tables.ts'
import { needOf } from './approval-need.ts'
import { fitsAt, isWithin, readUsed, type Used } from './limits.ts'
import { countedWords, needSentence, ruleSentence } from './rule-words.ts'
import { hasLimit, type Judged, type LimitRule, limitRules, marksOf, rulesOn } from './rules.ts'

export async function limitUse(db: Kysely<Tables>, actor: string): Promise<readonly LimitUse[]> {
  const uses: LimitUse[] = []
  for (const rule of limitRules()) uses.push(viewOfUse(rule, await readUsed(db, actor, rule)))
  return uses
}

/** A preview; sending applies the policy again. */
export async function policyOfDraft(
  db: Kysely<Tables>,
  draft: Judged & Pick<CommandRow, 'params'>,
): Promise<{
  readonly limits: readonly DraftLimit[]
  readonly approval: DraftApproval | null
  readonly passkey: boolean
}> {
  const limits: DraftLimit[] = []
  const asking = []
  for (const rule of rulesOn(draft, await marksOf(db, draft))) {
    if (!hasLimit(rule)) {
      asking.push(rule)
      continue
    }
    const used = await readUsed(db, draft.actor, rule, draft.id)
    const within = isWithin(rule, used, draft)
    const approvable = rule.approval !== undefined
    limits.push({
      ...viewOfUse(rule, used),
      beyond: within ? null : { fitsAt: await fitsAt(db, rule, used, draft), approvable },
    })
    if (!within) asking.push(rule)
  }
  const takes = kindNamed(draft.kind)?.takes?.(JSON.parse(draft.params))
  const need = needOf(asking, takes?.approval ?? null)
  const passkey = takes?.passkey !== undefined || asking.some((rule) => rule.passkey === true)
  if (need === null) return { limits, approval: null, passkey }
  const rules = asking.filter(({ approval }) => approval !== undefined).map((rule) => ruleSentence(rule))
  const approval = {
    need: needSentence(need),
    rules,
    amount: draft.amount,
    hours: config().policy.approvalHours,
  }
  return { limits, approval, passkey }
}

const viewOfUse = (rule: LimitRule, { sum, count, lessAt }: Used): LimitUse => ({
  kind: rule.kind,
  counting: countedWords(rule.when),
  sum: rule.limit.sum === undefined ? null : { used: sum, limit: rule.limit.sum },
  count: rule.limit.count === undefined ? null : { used: count, limit: rule.limit.count },
  lessAt,
})
