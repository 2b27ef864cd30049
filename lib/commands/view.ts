import 'server-only'
import { refusedBy } from '#lib/authorization/judge.ts'
import { config } from '#lib/config/config.ts'
import { parsedJson } from '#lib/contract/json.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { CommandKindName } from '#lib/kind-names.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { Trx } from '#lib/store/tables.ts'
import { canView, ruleOfChange } from './access.ts'
import {
  type AcceptedAnswer,
  type AcceptedOutcome,
  type CommandReply,
  type CommandView,
  type ConcurrentChange,
  type ConcurrentChanges,
  isApprovedView,
  type Outcome,
  refusedUnsent,
} from './command.ts'
import {
  type AnyCommand,
  type AnyKind,
  type AnyServiceCommand,
  commandNamed,
  isParty,
  kindNamed,
  textOf,
} from './kind.ts'
import { permanentKeys } from './locks.ts'
import { endOpenRequests, findRequest } from './policy/approval-table.ts'
import { readRoom } from './policy/room.ts'
import { findConcurrent, findLatestShown } from './queries.ts'
import {
  nextReconcileAt,
  RECONCILE_END_SECONDS,
  type ReconciledAs,
  SETTLE_BY_HAND_AFTER_SECONDS,
} from './reconcile-schedule.ts'
import { type CommandRow, type CommandState, factsOf, type LockKey, paramsOf } from './row.ts'
import { inAnyCase } from './search.ts'
import { findCommand } from './store.ts'

/** Throws for another version's kind; for such rows use {@link commandNamed}. */
export function kindOf(row: Pick<CommandRow, 'id' | 'kind'>): AnyCommand {
  const kind = commandNamed(row.kind)
  if (kind === undefined) throw new Error(`command ${row.id} is of no known kind`)
  return kind
}

export function viewOf(row: CommandRow, outcome?: Outcome): CommandView {
  const kind = kindNamed(row.kind)
  return {
    id: row.id,
    kind: row.kind,
    ...titlesOf(row, kind),
    target: row.target,
    actorName: row.actor_name,
    sentAt: row.sent_at,
    settledAt: row.settled_at,
    traceId: row.trace_id,
    outcome: outcome ?? (kind === undefined ? outcomeByState(row) : storedOutcome(row)),
    nextReconcileAt: nextReconcileAt(row.id),
    readable: readsEffect(kind),
    settledByHand: mayBeSettledByHand(row),
    settleAs: mayBeSettledByHand(row) ? settleKindOf(row) : null,
  }
}

export const readsEffect = (
  kind: AnyKind | undefined,
): kind is AnyServiceCommand & Required<Pick<AnyServiceCommand, 'reconcile'>> =>
  kind !== undefined && 'send' in kind && kind.reconcile !== undefined

/** Falls back to the kind for texts of another version or altered texts. */
function titlesOf(row: CommandRow, kind: AnyKind | undefined): Pick<CommandView, 'title' | 'doneTitle'> {
  try {
    const text = textOf(row)
    if (text !== null) return { title: text.title, doneTitle: text.doneTitle }
    const title = kind?.title(paramsOf(row), factsOf(row)) ?? row.kind
    return { title, doneTitle: title }
  } catch {
    return { title: row.kind, doneTitle: row.kind }
  }
}

export function reconciledAs({ state, reconcile_until: until }: CommandRow): ReconciledAs | null {
  if (state === 'unknown' || state === 'accepted') return state
  return state === 'not_applied' && until !== null && Date.parse(until) > Date.now() ? state : null
}

/** The outcome is unknown, and no scheduled read can settle it. */
export function mayBeSettledByHand(row: CommandRow): boolean {
  if (row.state !== 'unknown' && row.state !== 'accepted') return false
  const kind = commandNamed(row.kind)
  if (kind === undefined) return false
  if (!readsEffect(kind)) return true
  const outcome = row.outcome === null ? null : parseOutcome(row.outcome)
  const after =
    outcome?.class === 'accepted' && outcome.isUnderWay ? RECONCILE_END_SECONDS : SETTLE_BY_HAND_AFTER_SECONDS
  return secondsSinceSent(row) >= after
}

const secondsSinceSent = ({ sent_at, created_at }: Pick<CommandRow, 'sent_at' | 'created_at'>): number =>
  (Date.now() - Date.parse(sent_at ?? created_at)) / 1000

export function settleKindOf({ kind }: Pick<CommandRow, 'kind'>): CommandKindName | null {
  const settled = commandNamed(kind)
  const name = settled !== undefined && 'send' in settled ? (settled.settledAs ?? null) : null
  return name !== null && config().policy.rules.some((rule) => rule.kind === name) ? name : null
}

export function unknownOutcome(row: Pick<CommandRow, 'kind'>): Outcome {
  const kind = kindNamed(row.kind)
  if (kind === undefined || !('send' in kind)) return { class: 'unknown', checking: '', advice: OTHER_VERSION }
  return { class: 'unknown', checking: kind.checking, advice: kind.unknownAdvice }
}

/** Earlier versions stored the expected state. */
export function parseOutcome(json: string): Outcome {
  const outcome = parsedJson(json) as Outcome | null
  if (typeof outcome?.class !== 'string') return { class: 'unknown', checking: '', advice: ALTERED }
  return outcome.class !== 'accepted' || 'shows' in outcome ? outcome : acceptedOutcome('under-way')
}

const ALTERED = 'Its result was altered in the database. Contact your administrator.'

const answerWords: Readonly<Record<AcceptedAnswer, string>> = {
  'under-way': 'The service accepted it. It is not confirmed yet.',
  success: 'The service accepted it. It is not confirmed yet.',
  unclear: 'The service’s answer does not confirm it.',
}

export const acceptedOutcome = (answer: AcceptedAnswer): AcceptedOutcome => ({
  class: 'accepted',
  answer,
  shows: answerWords[answer],
  isUnderWay: answer === 'under-way',
  lines: [],
  steps: [],
})

/** While a repeat after a step-up is running, the stored outcome is the old one. */
function storedOutcome(row: CommandRow): Outcome {
  if (row.state === 'draft') return isExpired(row) ? expired : { class: 'prepared' }
  return row.outcome === null || row.state === 'sent' ? { class: 'sending' } : parseOutcome(row.outcome)
}

/** During a rollout, another version's kinds are unknown here. */
const OTHER_VERSION = 'Another version of the console made this. Reload the page in a moment.'

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

export const notHere: Outcome = refusal(false, 'It cannot continue here')

/** Also for other people's commands: the answer must not reveal them. */
export const notFound = {
  ok: false,
  problem: problemOf('service', { status: 404, title: 'Change not found' }),
} as const satisfies CommandReply

export const locksOf = (row: CommandRow): readonly LockKey[] => kindOf(row).locks(paramsOf(row), { actor: row.actor })

/** Messages in one case share no key. */
export function shareKeys(one: CommandRow, other: CommandRow): boolean {
  const keys = locksOf(one).map(({ key }) => key)
  return keys.length === 0 || locksOf(other).some(({ key }) => keys.includes(key))
}

async function markEarlierHandled(trx: Trx, row: CommandRow): Promise<void> {
  const earlier = await trx
    .selectFrom('command')
    .selectAll()
    .where('kind', '=', row.kind)
    .where('target', 'in', inAnyCase(row.target))
    .where('state', '=', 'not_applied')
    .where('handled_at', 'is', null)
    .where('id', '!=', row.id)
    .execute()
  const ids = earlier.filter((other) => shareKeys(row, other)).map(({ id }) => id)
  if (ids.length === 0) return
  await trx.updateTable('command').set({ handled_at: new Date().toISOString() }).where('id', 'in', ids).execute()
}

/** Call it in the transaction that settles. `data`: null if no answer could be read. */
export async function writeSettlement(trx: Trx, row: CommandRow, data: unknown): Promise<void> {
  await markEarlierHandled(trx, row)
  const keys = locksOf(row).map(({ key }) => key)
  await endOpenRequests(trx, row, keys, viewOf(row).title)
  const { id: commandId, actor, actor_name: actorName } = row
  const kind = kindOf(row)
  if ('send' in kind) await kind.onSettled?.(trx, { commandId, actor, actorName, params: paramsOf(row), data })
}

/** People must confirm recently read data. */
export const DRAFT_LIFE_MS = 10 * 60_000

export const isExpired = (draft: Pick<CommandRow, 'created_at'>): boolean =>
  Date.now() > Date.parse(draft.created_at) + DRAFT_LIFE_MS

export const expired: Outcome = refusedUnsent(
  'This was prepared more than ten minutes ago',
  'Nothing was sent. Check it and confirm again.',
)

export function viewFor(session: Session, row: CommandRow, outcome?: Outcome): CommandView {
  const view = { ...viewOf(row, outcome), actorName: actorWords(session, row), yours: row.actor === session.actor }
  const text = view.yours && isApprovedView(view) ? textOf(row) : null
  if (text === null) return view
  const { lines, consequence, button } = text
  return { ...view, approved: { lines, consequence, button, effect: row.effect ?? '' } }
}

export async function wholeViewFor(session: Session, row: CommandRow, outcome?: Outcome): Promise<CommandView> {
  const view = viewFor(session, row, outcome)
  return {
    ...view,
    ...(view.outcome.class === 'changed' ? { meanwhile: await concurrentChanges(session, row) } : {}),
    ...(await handlingOf(session, row)),
    ...((await mayAskAgain(session, row)) ? { mayAskAgain: true } : {}),
    ...(await settleRoom(session, row)),
  }
}

async function settleRoom(session: Session, row: CommandRow): Promise<Pick<CommandView, 'settleRoom'>> {
  const kind = mayBeSettledByHand(row) ? settleKindOf(row) : null
  return kind === null ? {} : { settleRoom: await readRoom(session, { kind, amount: row.amount }) }
}

async function mayAskAgain(session: Session, row: CommandRow): Promise<boolean> {
  if (row.erased_at !== null) return false
  if (row.state !== 'closed' || row.actor !== session.actor || commandNamed(row.kind) === undefined) return false
  if (row.outcome !== null && parseOutcome(row.outcome).class === 'cancelled') return false
  return (await findRequest(await store(), row.id)) !== null
}

export const PARTY_FAULT = 'You are a party to this change. Someone else must do this.'

type Handling = Pick<CommandView, 'keeps' | 'dismissible' | 'partyFault'>

async function handlingOf(session: Session, row: CommandRow): Promise<Handling> {
  const { keeps, dismissible = false } = await unhandledParts(session, row)
  const isToHandle = mayBeSettledByHand(row) || keeps !== undefined || dismissible
  return isToHandle && isPartyOf(session, row) ? { partyFault: PARTY_FAULT } : { keeps, dismissible }
}

export const isPartyOf = (session: Session, row: CommandRow): boolean =>
  isParty(commandNamed(row.kind), paramsOf(row), factsOf(row), session)

async function unhandledParts(session: Session, row: CommandRow): Promise<Pick<Handling, 'keeps' | 'dismissible'>> {
  if (row.state !== 'not_applied' || !(await mayHandle(session, row))) return {}
  const keys = await permanentKeys(await store(), row.id)
  const keeps = keys.map((key) => kindOf(row).describeLockConflict(key, paramsOf(row)).what).join('. ')
  return { ...(keys.length === 0 ? {} : { keeps }), dismissible: row.handled_at === null }
}

const mayHandle = async (session: Session, row: Pick<CommandRow, 'kind'>): Promise<boolean> =>
  commandNamed(row.kind) !== undefined && (await refusedBy(session, ruleOfChange(row).change)) === null

type Whose = Pick<CommandRow, 'actor' | 'actor_name' | 'method'>
type Reader = Pick<Session, 'actor' | 'displayName' | 'method'>

/** One person may have several display names, and must recognise their own change. A file has no `reader`. */
export function actorWords(reader: Reader | null, { actor, actor_name, method }: Whose): string {
  if (reader === null || actor !== reader.actor) return actor_name
  if (method !== null && method !== reader.method) return 'you, with another sign-in'
  return actor_name === reader.displayName ? actor_name : 'you'
}

/** Includes changes that may have taken effect. `hidden` counts those that the person may not see. */
async function concurrentChanges(session: Session, row: CommandRow): Promise<ConcurrentChanges> {
  const { kind, affectedBy = [kind] } = kindOf(row)
  const readAt = row.created_at
  const endedAt = row.settled_at ?? new Date().toISOString()
  const changes: ConcurrentChange[] = []
  let hidden = 0
  for (const other of await findConcurrent(await store(), { kinds: affectedBy, readAt, endedAt })) {
    if (other.id === row.id || !isOfSameObject(row, other)) continue
    if (await canView(session, other)) changes.push(concurrentChange(session, other, readAt))
    else hidden += 1
  }
  return { changes, hidden }
}

/** Not sure if it was sent before the read or is still unknown. */
function concurrentChange(session: Session, other: CommandRow, readAt: string): ConcurrentChange {
  const sentAt = other.sent_at ?? other.created_at
  const tookEffect = other.state === 'done' || other.state === 'applied'
  const sure = tookEffect && sentAt >= readAt
  return {
    id: other.id,
    title: viewOf(other).title,
    actorName: nameOf(session, other),
    at: sure ? (other.settled_at ?? sentAt) : sentAt,
    sure,
  }
}

function nameOf(session: Session, other: CommandRow): string {
  const words = actorWords(session, other)
  return other.actor === session.actor && words === session.displayName ? 'you' : words
}

/** Commands of one kind may concern different parts of a target; then their keys decide. */
function isOfSameObject(row: CommandRow, other: CommandRow): boolean {
  const keys = keysOf(row)
  if (keysOf(other).some((key) => keys.includes(key))) return true
  if (row.kind === other.kind && keys.length > 0) return false
  return row.target.toLowerCase() === other.target.toLowerCase()
}

/** A `permanent` key, a bank reference, is a different object. */
const keysOf = (row: CommandRow): readonly string[] =>
  kindOf(row)
    .locks(paramsOf(row), { actor: row.actor })
    .flatMap(({ key, permanent }) => (permanent ? [] : [key]))

/** Of others, what was sent or waits for approval; of the reader, also what was not approved. */
export async function latestCommand(
  session: Session,
  kind: CommandKindName,
  target: string,
): Promise<CommandView | null> {
  const row = await findLatestShown(await store(), { kind, target, actor: session.actor })
  if (row === undefined || !(await canView(session, row))) return null
  return await wholeViewFor(session, row)
}

/** Shows authors their unsent command too: the page may reload before it is sent. */
export async function namedCommand(session: Session, kind: CommandKindName, id: string): Promise<CommandView | null> {
  const row = await findCommand(await store(), id)
  if (row === undefined || row.kind !== kind || !(await canView(session, row))) return null
  return row.actor === session.actor || row.sent_at !== null ? viewFor(session, row) : null
}
