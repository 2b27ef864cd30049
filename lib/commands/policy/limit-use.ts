import 'server-only'
import type { Kysely } from 'kysely'
import type { DraftLimit, LimitUse } from '#lib/commands/command.ts'
import { config } from '#lib/config/config.ts'
import type { PolicyRule } from '#lib/config/policy.ts'
import type { Tables } from '#lib/store/tables.ts'
import { conditionWords } from './limit-words.ts'
import { fitsAt, isWithin, type Judged, limitsOn, readUsed, type Used } from './limits.ts'

/** What a person has used of every limit that there is. */
export async function limitUse(db: Kysely<Tables>, actor: string): Promise<readonly LimitUse[]> {
  const uses: LimitUse[] = []
  for (const rule of config().policy.rules) uses.push(viewOfUse(rule, await readUsed(db, actor, rule)))
  return uses
}

/** The limits that a draft is subject to, as they stand before it is sent. Sending judges anew. */
export async function limitsOfDraft(db: Kysely<Tables>, draft: Judged): Promise<readonly DraftLimit[]> {
  const limits: DraftLimit[] = []
  for (const rule of limitsOn(draft)) {
    const used = await readUsed(db, draft.actor, rule, draft.id)
    const beyond = isWithin(rule, used, draft) ? null : { fitsAt: await fitsAt(db, rule, used, draft) }
    limits.push({ ...viewOfUse(rule, used), beyond })
  }
  return limits
}

const viewOfUse = (rule: PolicyRule, { sum, count, lessAt }: Used): LimitUse => ({
  kind: rule.kind,
  of: conditionWords(rule),
  sum: rule.limit.sum === undefined ? null : { used: sum, limit: rule.limit.sum },
  count: rule.limit.count === undefined ? null : { used: count, limit: rule.limit.count },
  lessAt,
})
