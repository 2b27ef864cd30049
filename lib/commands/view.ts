import 'server-only'
import { config } from '#lib/config/config.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { type CommandKindName, settledAs } from '#lib/kind-names.ts'
import type { Trx } from '#lib/store/tables.ts'
import type { AcceptedAnswer, AcceptedOutcome, CommandReply, CommandView, Outcome } from './command.ts'
import type { CommandRow, CommandState, LockKey } from './command-table.ts'
import { expired, isExpired } from './draft-life.ts'
import {
  nextReconcileAt,
  RECONCILE_END_SECONDS,
  type ReconciledAs,
  SETTLE_BY_HAND_AFTER_SECONDS,
} from './reconcile-schedule.ts'
import { type AnyKind, kindNamed } from './registry.ts'

/** The facts a command was drafted on, as the service gave them. */
export const factsOf = (row: CommandRow): Readonly<Record<string, string>> =>
  JSON.parse(row.facts) as Readonly<Record<string, string>>

export const paramsOf = (row: CommandRow): unknown => JSON.parse(row.params)

/** The service's user id of an actor; null for one of an older version, which named some by their e-mail address. */
export const userIdOf = (actor: string): string | null => (actor.startsWith('sso:') ? actor.slice('sso:'.length) : null)

/** The kind of a command that this process makes. For rows that may be of another version, see {@link kindNamed}. */
export function kindOf(row: Pick<CommandRow, 'id' | 'kind'>): AnyKind {
  const kind = kindNamed(row.kind)
  if (kind === undefined) throw new Error(`command ${row.id} is of no known kind`)
  return kind
}

/** A command as its operator sees it; `outcome` overrides what is stored. */
export function viewOf(row: CommandRow, outcome?: Outcome): CommandView {
  const kind = kindNamed(row.kind)
  return {
    id: row.id,
    kind: row.kind,
    title: titleOf(row, kind),
    target: row.target,
    actorName: row.actor_name,
    sentAt: row.sent_at,
    settledAt: row.settled_at,
    traceId: row.trace_id,
    outcome: outcome ?? (kind === undefined ? outcomeByState(row) : storedOutcome(row)),
    nextReconcileAt: nextReconcileAt(row.id),
    readable: kind !== undefined && kind.reconcile !== null,
    settledByHand: mayBeSettledByHand(row),
    settleAs: mayBeSettledByHand(row) ? settleKindOf(row) : null,
  }
}

/** The name of its kind where its texts do not fit that: another version wrote them, or somebody changed them in the store. */
function titleOf(row: CommandRow, kind: AnyKind | undefined): string {
  try {
    return kind?.title(paramsOf(row), factsOf(row)) ?? row.kind
  } catch {
    return row.kind
  }
}

/** As what a command is looked at; null when it is not, or no longer. */
export function reconciledAs({ state, reconcile_until: until }: CommandRow): ReconciledAs | null {
  if (state === 'unknown' || state === 'accepted') return state
  return state === 'not_applied' && until !== null && Date.parse(until) > Date.now() ? state : null
}

/** Its end is not known, and nobody can read it, or the scheduled reads have not settled it. */
export function mayBeSettledByHand(row: CommandRow): boolean {
  if (row.state !== 'unknown' && row.state !== 'accepted') return false
  const kind = kindNamed(row.kind)
  if (kind === undefined) return false
  if (kind.reconcile === null) return true
  const outcome = row.outcome === null ? null : parseOutcome(row.outcome)
  const after =
    outcome?.class === 'accepted' && outcome.isUnderWay ? RECONCILE_END_SECONDS : SETTLE_BY_HAND_AFTER_SECONDS
  return secondsSinceSent(row) >= after
}

const secondsSinceSent = ({ sent_at, created_at }: Pick<CommandRow, 'sent_at' | 'created_at'>): number =>
  (Date.now() - Date.parse(sent_at ?? created_at)) / 1000

/** The kind of change by which it is settled by hand, where the policy has rules for that; null where it is settled at once. */
export function settleKindOf({ kind }: Pick<CommandRow, 'kind'>): CommandKindName | null {
  const name = settledAs(kind)
  return name !== null && config().policy.rules.some((rule) => rule.kind === name) ? name : null
}

/** What a person is told of a command that was sent and nobody knows the end of. */
export function unknownOutcome(row: Pick<CommandRow, 'kind'>): Outcome {
  const { checking, unknownAdvice: advice } = kindNamed(row.kind) ?? { checking: '', unknownAdvice: OTHER_VERSION }
  return { class: 'unknown', checking, advice }
}

/** Reads a stored outcome. Earlier versions stored accepted ones with the expected state. */
export function parseOutcome(json: string): Outcome {
  const outcome = JSON.parse(json) as Outcome
  return outcome.class !== 'accepted' || 'shows' in outcome ? outcome : acceptedOutcome('under-way')
}

const answerWords: Readonly<Record<AcceptedAnswer, string>> = {
  'under-way': 'The service accepted it. It is not confirmed yet.',
  success: 'The service accepted it. It is not confirmed yet.',
  unclear: 'The answer of the service does not confirm it.',
}

export const acceptedOutcome = (answer: AcceptedAnswer): AcceptedOutcome => ({
  class: 'accepted',
  answer,
  shows: answerWords[answer],
  isUnderWay: answer === 'under-way',
  lines: [],
  steps: [],
})

/** One that is sent again after a step-up still carries what it waited for until the answer comes. */
function storedOutcome(row: CommandRow): Outcome {
  if (row.state === 'draft') return isExpired(row) ? expired : { class: 'prepared' }
  return row.outcome === null || row.state === 'sent' ? { class: 'sending' } : parseOutcome(row.outcome)
}

/** While a new version is rolled out, a command may be of a kind that this process does not know. */
const OTHER_VERSION = 'Another version of the console made it. Look at it there: reload the page in a moment.'

/** What is known of such a command by its state alone: how its outcome is written is that version's business. */
function outcomeByState({ state }: Pick<CommandRow, 'state'>): Outcome {
  switch (state as CommandState) {
    case 'sent':
      return { class: 'sending' }
    case 'done':
    case 'applied':
      return { class: 'done', lines: [], steps: [] }
    case 'accepted':
      return { ...acceptedOutcome('under-way'), shows: OTHER_VERSION }
    case 'refused':
    case 'not_applied':
      return refusal(true, 'It did not take effect')
    case 'draft':
    case 'closed':
      return refusal(false, 'It was not sent')
    case 'challenged':
      return notHere
    default:
      return { class: 'unknown', checking: '', advice: OTHER_VERSION }
  }
}

const refusal = (sent: boolean, title: string): Outcome => ({
  class: 'refused',
  sent,
  title,
  advice: OTHER_VERSION,
  problem: null,
})

/** It is neither sent nor ended here. */
export const notHere: Outcome = refusal(false, 'It cannot go on here')

/** For an unknown command, and for somebody else's. */
export const notFound = {
  ok: false,
  problem: problemOf('service', { status: 404, title: 'No such command of yours' }),
} as const satisfies CommandReply

export const locksOf = (row: CommandRow): readonly LockKey[] => kindOf(row).locks(paramsOf(row), { actor: row.actor })

/** Whether two commands of one kind about one target can have one effect together: messages in one case share no key. */
export function areSame(one: CommandRow, other: CommandRow): boolean {
  const keys = locksOf(one).map(({ key }) => key)
  return keys.length === 0 || locksOf(other).some(({ key }) => keys.includes(key))
}

/** Earlier attempts of which no effect shows need nobody once this one took effect. */
async function markEarlierHandled(trx: Trx, row: CommandRow): Promise<void> {
  const earlier = await trx
    .selectFrom('command')
    .selectAll()
    .where('kind', '=', row.kind)
    .where('target', '=', row.target)
    .where('state', '=', 'not_applied')
    .where('handled_at', 'is', null)
    .where('id', '!=', row.id)
    .execute()
  const ids = earlier.filter((other) => areSame(row, other)).map(({ id }) => id)
  if (ids.length === 0) return
  await trx.updateTable('command').set({ handled_at: new Date().toISOString() }).where('id', 'in', ids).execute()
}

/**
 * Writes what a command that took effect leaves in the console's own tables, in the transaction that settles it, however
 * its end became known. `data` is null where no answer could be read.
 */
export async function writeSettlement(trx: Trx, row: CommandRow, data: unknown): Promise<void> {
  await markEarlierHandled(trx, row)
  const { id: commandId, actor, actor_name: actorName } = row
  await kindOf(row).onSettled?.(trx, { commandId, actor, actorName, params: paramsOf(row), data })
}
