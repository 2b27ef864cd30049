import 'server-only'
import type { Kysely } from 'kysely'
import {
  type DraftApproval,
  type DraftLimit,
  type LimitUse,
  type Outcome,
  refusedUnsent,
} from '#lib/commands/command.ts'
import { type ApprovalNeed, commandNamed, type PasskeyNeed } from '#lib/commands/kind.ts'
import type { LockedCommand } from '#lib/commands/locks.ts'
import { type CommandRow, type Note, paramsOf } from '#lib/commands/row.ts'
import { config } from '#lib/config/config.ts'
import { log } from '#lib/config/log.ts'
import type { PolicyRule } from '#lib/config/policy.ts'
import { type GenuineEvent, genuineEvents, genuineOf } from '#lib/journal/event.ts'
import type { Denial } from '#lib/journal/sequencer.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { exactText } from '#lib/values/amount-text.ts'
import { approvalExpired, approvalsOnRecord, findRequest, isApproved, isRequestGenuine } from './approval-table.ts'
import { findShortage, shortageWords } from './approvers.ts'
import {
  effectDigest,
  fitsAt,
  flagsOf,
  hasLimit,
  isWithin,
  type LimitBreach,
  type LimitRule,
  limitBreaches,
  limitRules,
  type PolicyInput,
  policyInputOf,
  readUsed,
  rulesOn,
  type Used,
} from './limits.ts'
import { isAsserted } from './passkey-table.ts'
import { breachWords, countedWords, needSentence, ruleSentence } from './rule-words.ts'

export interface PolicyStop {
  readonly outcome: Outcome
  readonly note: Note & { readonly denial?: Denial }
}

export type Judgement =
  | { readonly stopped: PolicyStop }
  | { readonly stopped: null; readonly need: ApprovalNeed | null; readonly passkey: PasskeyNeed | null }

/** Null if the command may be sent. Call it in the transaction that sends. */
export async function enforcePolicy(trx: Trx, locked: LockedCommand): Promise<PolicyStop | null> {
  const { row } = locked
  const judgement = await judge(trx, row, locked)
  if (judgement.stopped !== null) return judgement.stopped
  const { need, passkey } = judgement
  if (passkey !== null && !(await isAsserted(trx, row, passkey))) {
    return stopped('This needs your passkey', ASK_ANEW, { denial: 'passkey-missing' })
  }
  if (need === null) return null
  const [request, approvals] = [await findRequest(trx, row.id), await approvalsOnRecord(trx, row.id, need)]
  if (request?.expired) return { outcome: approvalExpired, note: {} }
  if (isApproved(row, need, request, approvals)) return null
  const numbers = { approvalsNeeded: need.by, approvalsGiven: approvals.filter(({ approves }) => approves).length }
  return stopped('This needs approval by someone else', ASK_ANEW, { denial: 'approval-missing', ...numbers })
}

/** For a change that is drafted and made in one transaction, so that nobody can approve or sign it. */
export async function enforcePolicyAtOnce(trx: Trx, drafted: CommandRow): Promise<PolicyStop | null> {
  const judgement = await judgeByRules(trx, drafted)
  if (judgement.stopped !== null) return judgement.stopped
  if (judgement.passkey !== null) return stopped('This needs your passkey', ASK_ANEW, { denial: 'passkey-missing' })
  return judgement.need && stopped('This needs approval by someone else', ASK_ANEW, { denial: 'approval-missing' })
}

export async function judge(trx: Trx, stored: CommandRow, locked?: LockedCommand): Promise<Judgement> {
  const otherwise = await notAsPrepared(trx, stored, locked)
  return otherwise === null ? await judgeByRules(trx, stored) : { stopped: otherwise }
}

async function judgeByRules(trx: Trx, stored: CommandRow): Promise<Judgement> {
  const row = withPolicyInput(stored)
  const beyond = await limitBreaches(trx, row)
  const { denied, need, passkey } = verdictOf(row, await rulesWithoutLimit(trx, row), beyond)
  return denied === null ? { stopped: null, need, passkey } : { stopped: stopAtLimit(denied, row) }
}

/** `always`: rules without a limit that apply. `beyond`: limits that the change exceeds. */
export const verdictOf = <Breach extends Pick<LimitBreach, 'rule'>>(
  row: Pick<CommandRow, 'kind' | 'params'>,
  always: readonly PolicyRule[],
  beyond: readonly Breach[],
) => ({
  denied: beyond.find(({ rule }) => rule.approval === undefined) ?? null,
  need: needOf([...always, ...beyond.map(({ rule }) => rule)], kindNeeds(row)?.approval ?? null),
  passkey: passkeyAsked(always, row),
})

const rulesWithoutLimit = async (db: Kysely<Tables>, row: CommandRow): Promise<readonly PolicyRule[]> =>
  rulesOn(withPolicyInput(row), await flagsOf(db, row)).filter((rule) => !hasLimit(rule))

const withPolicyInput = (row: CommandRow): CommandRow => ({ ...row, ...policyInputOf(row) })

const kindNeeds = (row: Pick<CommandRow, 'kind' | 'params'>) =>
  commandNamed(row.kind)?.requires?.(paramsOf(row)) ?? null

const passkeyAsked = (rules: readonly PolicyRule[], row: Pick<CommandRow, 'kind' | 'params'>): PasskeyNeed | null =>
  kindNeeds(row)?.passkey ?? (rules.some(({ passkey }) => passkey === true) ? { except: null } : null)

export const passkeyNeedOf = async (db: Kysely<Tables>, row: CommandRow): Promise<PasskeyNeed | null> =>
  passkeyAsked(await rulesWithoutLimit(db, row), row)

export const isAltered = async (db: Kysely<Tables>, row: CommandRow): Promise<boolean> =>
  (await changedInStore(db, row, await genuineEvents(db, row.id))).length > 0

/** Null if the row is as drafted, under the present policy. */
export async function notAsPrepared(
  db: Kysely<Tables>,
  row: CommandRow,
  locked?: LockedCommand,
): Promise<PolicyStop | null> {
  const events = locked === undefined ? await genuineEvents(db, row.id) : genuineOf(locked.events)
  const changed = await changedInStore(db, row, events, locked?.isRequested)
  if (changed.length > 0) {
    log().error({ event: 'changed-in-store', id: row.id, changed }, 'a change was altered in the store; it is not sent')
    return stopped('This change was altered in the database after it was prepared', TELL, {
      denial: 'effect-differs',
      changed,
    })
  }
  const { version } = config().policy
  // Only a draft event has `judged`. Later events repeat the row's present values and prove nothing.
  const isOlder = row.effect === null || events[0]?.body.judged === undefined
  if (isOlder || row.policy !== version) {
    const policies = { preparedUnder: row.policy ?? 'none', policyNow: version ?? 'none' }
    const title = isOlder ? 'Another version of the console prepared this' : 'The policy has changed'
    return stopped(title, START_ANEW, { denial: 'policy-changed', ...policies })
  }
  return null
}

async function changedInStore(
  db: Kysely<Tables>,
  row: CommandRow,
  events: readonly GenuineEvent[],
  isRequested = true,
): Promise<readonly string[]> {
  const [draft, latest] = [events[0], events.at(-1)]
  if (draft?.state !== 'draft' || latest === undefined) return ['journal']
  const { kind, actorName, target, effect = null, policy = null, judged } = draft.body
  const { amount, decision } = (judged ?? row) as Pick<CommandRow, 'amount' | 'decision'>
  const bodies = events.map(({ body }) => body)
  const differs: Readonly<Record<string, boolean>> = {
    kind: row.kind !== kind,
    actor: row.actor !== draft.actor,
    actor_name: row.actor_name !== actorName,
    target: row.target !== target,
    effect: row.effect !== effect || (effect !== null && digestOf(row) !== effect),
    policy: row.policy !== policy,
    state: row.state !== latest.state,
    created_at: row.created_at > draft.at,
    amount: exactOrNull(row.amount) !== exactOrNull(amount),
    decision: row.decision !== decision,
    approval_request: !(await isRequestGenuine(db, row.id, bodies, isRequested)),
  }
  return Object.keys(differs).filter((column) => differs[column])
}

const exactOrNull = (amount: string | null): string | null => (amount === null ? null : exactText(amount))

function digestOf(row: CommandRow): string {
  try {
    return effectDigest(row)
  } catch {
    return ''
  }
}

const TELL = 'Nothing was sent. Contact your administrator, then check it and start again.'
const START_ANEW = 'Nothing was sent. Check it and confirm again.'
const ASK_ANEW = 'Nothing was sent. Start again.'

const stopped = (title: string, advice: string, note: PolicyStop['note']): PolicyStop => ({
  outcome: refusedUnsent(title, advice),
  note,
})

function stopAtLimit(beyond: LimitBreach, row: CommandRow): PolicyStop {
  const outcome = refusedUnsent('Over your limit', `Nothing was sent. ${breachWords(beyond)}`)
  return { outcome: { ...outcome, limit: true }, note: numbers(beyond, row) }
}

const numbers = ({ rule: { limit, when }, used }: LimitBreach, row: CommandRow): PolicyStop['note'] => ({
  denial: 'limit',
  ...(when.amountAtLeast === undefined ? {} : { limitFrom: when.amountAtLeast }),
  ...(limit.sum === undefined ? {} : { limitSum: limit.sum, usedSum: used.sum, askedSum: row.amount ?? 'not known' }),
  ...(limit.count === undefined ? {} : { limitCount: limit.count, usedCount: used.count }),
})

export function needOf(
  rules: readonly Pick<PolicyRule, 'approval'>[],
  kindNeed: ApprovalNeed | null = null,
): ApprovalNeed | null {
  const approvals = rules.flatMap(({ approval }) => approval ?? [])
  if (approvals.length === 0) return kindNeed
  const scopes = new Set([...approvals.flatMap(({ scope }) => scope ?? []), ...(kindNeed?.scopes ?? [])])
  return {
    by: Math.max(kindNeed?.by ?? 1, ...approvals.map(({ by }) => by)),
    scopes: [...scopes].sort(),
    passkey: kindNeed?.passkey === true || approvals.some(({ passkey }) => passkey === true),
    administers: kindNeed?.administers === true,
    reread: approvals.some(({ reread }) => reread === true),
  }
}

export async function limitUse(db: Kysely<Tables>, actor: string): Promise<readonly LimitUse[]> {
  const uses: LimitUse[] = []
  for (const rule of limitRules()) uses.push(viewOfUse(rule, await readUsed(db, actor, rule)))
  return uses
}

/** A preview; sending applies the policy again. */
export async function policyOfDraft(
  db: Kysely<Tables>,
  draft: PolicyInput & Pick<CommandRow, 'params' | 'facts'>,
): Promise<{
  readonly limits: readonly DraftLimit[]
  readonly approval: DraftApproval | null
  readonly passkey: boolean
}> {
  const limits: DraftLimit[] = []
  const asking = []
  for (const rule of rulesOn(draft, await flagsOf(db, draft))) {
    if (!hasLimit(rule)) {
      asking.push(rule)
      continue
    }
    const limit = await judgeLimit(db, rule, draft)
    limits.push(limit)
    if (limit.beyond !== null) asking.push(rule)
  }
  const required = commandNamed(draft.kind)?.requires?.(JSON.parse(draft.params))
  const need = needOf(asking, required?.approval ?? null)
  const passkey = required?.passkey !== undefined || asking.some((rule) => rule.passkey === true)
  if (need === null) return { limits, approval: null, passkey }
  const rules = asking.filter(({ approval }) => approval !== undefined).map((rule) => ruleSentence(rule))
  const shortage = await findShortage(db, draft, need)
  const approval = {
    need: needSentence(need),
    rules,
    shortage: shortage && shortageWords(shortage),
    amount: draft.amount,
    hours: config().policy.approvalHours,
  }
  return { limits, approval, passkey }
}

export async function judgeLimit(db: Kysely<Tables>, rule: LimitRule, change: PolicyInput): Promise<DraftLimit> {
  const used = await readUsed(db, change.actor, rule, change.id)
  const beyond = isWithin(rule, used, change)
    ? null
    : { fitsAt: await fitsAt(db, rule, used, change), approvable: rule.approval !== undefined }
  return { ...viewOfUse(rule, used), beyond }
}

const viewOfUse = (rule: LimitRule, { sum, count, lessAt }: Used): LimitUse => ({
  kind: rule.kind,
  counting: countedWords(rule.when),
  sum: rule.limit.sum === undefined ? null : { used: sum, limit: rule.limit.sum },
  count: rule.limit.count === undefined ? null : { used: count, limit: rule.limit.count },
  lessAt,
})
