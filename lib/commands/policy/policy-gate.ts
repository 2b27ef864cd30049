import 'server-only'
import type { Kysely } from 'kysely'
import { approvalsOnRecord, findRequest, isApproved, isRequestGenuine } from '#lib/commands/approvals/approval-table.ts'
import type { Outcome } from '#lib/commands/command.ts'
import type { CommandRow, Note } from '#lib/commands/command-table.ts'
import { type GenuineEvent, genuineEvents } from '#lib/commands/genuine-events.ts'
import { isAsserted, type PasskeyNeed } from '#lib/commands/passkeys/kept-assertion.ts'
import { kindNamed } from '#lib/commands/registry.ts'
import { paramsOf } from '#lib/commands/view.ts'
import { config } from '#lib/config/config.ts'
import { log } from '#lib/config/log.ts'
import type { PolicyRule } from '#lib/config/policy.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { exactText } from '#lib/values/amount-text.ts'
import { type ApprovalNeed, needOf } from './approval-need.ts'
import type { Denial } from './denials.ts'
import { effectDigest } from './effect-digest.ts'
import { type Beyond, limitsGoneBeyond } from './limits.ts'
import { beyondWords } from './rule-words.ts'
import { hasLimit, judgedBy, marksOf, rulesOn } from './rules.ts'

export interface StoppedByPolicy {
  readonly outcome: Extract<Outcome, { class: 'refused' }>
  readonly note: Note & { readonly denial: Denial }
}

export type Judgement =
  | { readonly stopped: StoppedByPolicy }
  | { readonly stopped: null; readonly need: ApprovalNeed | null; readonly passkey: PasskeyNeed | null }

/** Null if the command may be sent. Call it in the transaction that sends. */
export async function stoppedByPolicy(trx: Trx, row: CommandRow): Promise<StoppedByPolicy | null> {
  const judgement = await judge(trx, row)
  if (judgement.stopped !== null) return judgement.stopped
  const { need, passkey } = judgement
  if (passkey !== null && !(await isAsserted(trx, row, passkey))) {
    return stopped('This needs your passkey', ASK_ANEW, { denial: 'passkey-missing' })
  }
  if (need === null) return null
  const [request, approvals] = [await findRequest(trx, row.id), await approvalsOnRecord(trx, row.id, need)]
  if (isApproved(row, need, request, approvals)) return null
  const numbers = { approvalsNeeded: need.by, approvalsGiven: approvals.filter(({ approves }) => approves).length }
  return stopped('This needs the approval of somebody else', ASK_ANEW, { denial: 'approval-missing', ...numbers })
}

export async function judge(trx: Trx, stored: CommandRow): Promise<Judgement> {
  const otherwise = await notAsPrepared(trx, stored)
  if (otherwise !== null) return { stopped: otherwise }
  const row = asJudged(stored)
  const beyond = await limitsGoneBeyond(trx, row)
  const denied = beyond.find(({ rule }) => rule.approval === undefined)
  if (denied !== undefined) return { stopped: beyondLimit(denied, row) }
  const always = await rulesWithoutLimit(trx, row)
  const need = needOf([...always, ...beyond.map(({ rule }) => rule)], ownTerms(row)?.approval ?? null)
  return { stopped: null, need, passkey: passkeyAsked(always, row) }
}

const rulesWithoutLimit = async (db: Kysely<Tables>, row: CommandRow): Promise<readonly PolicyRule[]> =>
  rulesOn(asJudged(row), await marksOf(db, row)).filter((rule) => !hasLimit(rule))

/** Computed again, because the columns are for queries only. */
const asJudged = (row: CommandRow): CommandRow => ({ ...row, ...judgedBy(row) })

const ownTerms = (row: CommandRow) => kindNamed(row.kind)?.takes?.(paramsOf(row)) ?? null

const passkeyAsked = (rules: readonly PolicyRule[], row: CommandRow): PasskeyNeed | null =>
  ownTerms(row)?.passkey ?? (rules.some(({ passkey }) => passkey === true) ? { except: null } : null)

export const passkeyNeedOf = async (db: Kysely<Tables>, row: CommandRow): Promise<PasskeyNeed | null> =>
  passkeyAsked(await rulesWithoutLimit(db, row), row)

export const isAltered = async (db: Kysely<Tables>, row: CommandRow): Promise<boolean> =>
  (await changedInStore(db, row, await genuineEvents(db, row.id))).length > 0

/** Null if the row is as drafted, under the present policy. */
export async function notAsPrepared(db: Kysely<Tables>, row: CommandRow): Promise<StoppedByPolicy | null> {
  const events = await genuineEvents(db, row.id)
  const changed = await changedInStore(db, row, events)
  if (changed.length > 0) {
    log().error({ event: 'changed-in-store', id: row.id, changed }, 'a change was altered in the store; it is not sent')
    return stopped('This was changed in the store after it was prepared', TELL, { denial: 'effect-differs', changed })
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
): Promise<readonly string[]> {
  const [draft, latest] = [events[0], events.at(-1)]
  if (draft?.state !== 'draft' || latest === undefined) return ['journal']
  const { kind, actorName, target, effect = null, policy = null, judged } = draft.body
  const { amount, decision } = (judged ?? row) as Pick<CommandRow, 'amount' | 'decision'>
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
    approval_request: !(await isRequestGenuine(
      db,
      row.id,
      events.map(({ body }) => body),
    )),
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

const TELL = 'Nothing was sent. Tell the people who run this console, then check it and start it again.'
const START_ANEW = 'Nothing was sent. Check it again and confirm it anew.'
const ASK_ANEW = 'Nothing was sent. Start it anew.'

const stopped = (title: string, advice: string, note: StoppedByPolicy['note']): StoppedByPolicy => ({
  outcome: { class: 'refused', sent: false, title, advice, problem: null },
  note,
})

function beyondLimit(beyond: Beyond, row: CommandRow): StoppedByPolicy {
  const words = `Nothing was sent. ${beyondWords(beyond)}`
  const { outcome, note } = stopped('This is beyond your limit', words, numbers(beyond, row))
  return { outcome: { ...outcome, limit: true }, note }
}

const numbers = ({ rule: { limit, when }, used }: Beyond, row: CommandRow): StoppedByPolicy['note'] => ({
  denial: 'limit',
  ...(when.amountAtLeast === undefined ? {} : { limitFrom: when.amountAtLeast }),
  ...(limit.sum === undefined ? {} : { limitSum: limit.sum, usedSum: used.sum, askedSum: row.amount ?? 'not known' }),
  ...(limit.count === undefined ? {} : { limitCount: limit.count, usedCount: used.count }),
})
