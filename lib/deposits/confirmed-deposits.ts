import 'server-only'
import { type ExpressionBuilder, sql } from 'kysely'
import pLimit from 'p-limit'
import { permits, refusedFrom } from '#lib/authorization/judge.ts'
import { findEffectivePage } from '#lib/commands/queries.ts'
import { type CommandRow, factsOf } from '#lib/commands/row.ts'
import { findAuthors, isBy } from '#lib/commands/search.ts'
import { actorWords, parseOutcome } from '#lib/commands/view.ts'
import { config } from '#lib/config/config.ts'
import { boundedCache, perProcess } from '#lib/config/per-process.ts'
import type { Problem } from '#lib/contract/problem.ts'
import type { Transaction } from '#lib/contract/transactions.ts'
import { type Result, serviceNowMs } from '#lib/service/client.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { stateSince } from '#lib/transactions/transaction.ts'
import { findStatesSeen, readTransaction, type SeenState } from '#lib/transactions/transaction-service.ts'
import { ME } from '#lib/values/address-filter.ts'
import { dayAfter, dayStart } from '#lib/values/time.ts'
import { ALL_CONFIRMED, type ConfirmedSearch } from './confirmed-search.ts'
import { bankLock, foldBankReference, HOLD_ENDS, type Hold, holdOf, isFinal } from './deposit.ts'

const AT_ONCE = 10
/** No read begins after this time; the remaining rows show their last known state. */
const READING_MS = 4_000

export interface ConfirmedDeposit {
  readonly commandId: string
  readonly reference: string
  /** Null if the service refuses to show the deposit to this person. */
  readonly facts: { readonly amount: string; readonly holder: string; readonly bankReference: string } | null
  readonly confirmedBy: string
  readonly confirmedAt: string
  readonly seen: LastSeen | null
  /** Why `seen` may be out of date; `not-read` if it was not tried. */
  readonly unread: Problem | 'not-read' | null
  readonly hold: Hold
}

export interface Known {
  readonly reference: string
  readonly result: Result<Transaction>
}

/** Newest first. A person who may not read all gets their own. Reads states that are not final from the service. */
export async function readConfirmedDeposits(
  session: Session,
  page: { readonly page: number; readonly size: number },
  known: Known | null,
  search: ConfirmedSearch = ALL_CONFIRMED,
) {
  const refusal = await refusedFrom(session, 'confirmedDeposits.read')
  const readers = { everyone: refusal === null, scopesKnown: refusal?.known !== false }
  const db = await store()
  const actor = readers.everyone && search.by !== ME ? null : session.actor
  const wanted = { kind: KIND, actor, matching: matchingOf(session, search) }
  const { commands, total } = await findEffectivePage(db, wanted, page)
  const seen = await findStatesSeen(
    db,
    commands.map(({ target }) => target),
  )
  const unsettled = commands
    .map(({ target }) => target)
    .filter((target) => !seen.some(({ reference, state }) => reference === target && isFinal(state)))
  const reads = await readAll(session, new Set(unsettled), known)
  const deposits = commands.map((row) =>
    depositOf(session, row, {
      seen: seen.filter(({ reference }) => reference === row.target),
      read: reads.get(row.target),
    }),
  )
  if (search.bank === '') return { ...readers, deposits, total }
  // A match would tell the bank reference of a deposit that the service hides from this person.
  const shown = deposits.filter(({ facts }) => facts !== null)
  const hidden = deposits.length - shown.length
  if (hidden > 0 && shown.length === 0) return { ...readers, deposits: [], total: (page.page - 1) * page.size }
  return { ...readers, deposits: shown, total: total - hidden }
}

const KIND = 'deposit.confirm'

const matchingOf =
  ({ actor, displayName }: Session, { bank, by, day }: ConfirmedSearch) =>
  (where: ExpressionBuilder<Tables, 'command'>) => {
    const zone = config().businessZone
    // By another sign-in method, own changes have another name.
    const isOwn = by === ME || displayName.toLowerCase().startsWith(by.toLowerCase())
    return where.and([
      ...(bank === '' ? [] : [hasBankReference(bank)]),
      ...(by === '' ? [] : [where.or([isBy(by), ...(isOwn ? [where('actor', '=', actor)] : [])])]),
      ...(day === ''
        ? []
        : [where('sent_at', '>=', dayStart(day, zone)), where('sent_at', '<', dayStart(dayAfter(day), zone))]),
    ])
  }

/** A confirmation that took effect late may have lost its lock to another. */
const hasBankReference = (start: string) => sql<boolean>`(
  command.id IN (SELECT command_id FROM command_lock WHERE starts_with(key, ${bankLock(start)}))
  OR (state = 'applied' AND starts_with(upper(params::json ->> 'bankReference'), ${foldBankReference(start)})))`

const PEOPLE_OF_LATEST = 1_000

/** Names for the search; only the person's own if they may not read all deposits. */
export async function confirmersLately(session: Session): Promise<readonly string[]> {
  const kinds = (await permits(session, 'confirmedDeposits.read')) ? [KIND] : []
  const { actor, userId } = session
  const anyTime = { since: null, until: null }
  const filter = { actor, userId, kinds, kind: KIND, outcome: 'done', by: null, text: null, ...anyTime } as const
  return await findAuthors(await store(), filter, PEOPLE_OF_LATEST)
}

/** The result omits references that were not read in time, or because the service is down. */
export async function readAll(
  session: Session,
  references: ReadonlySet<string>,
  known: Known | null,
): Promise<ReadonlyMap<string, Result<Transaction>>> {
  const results = new Map<string, Result<Transaction>>()
  if (known !== null) results.set(known.reference, known.result)
  let out = known !== null && isOut(known.result)
  const until = Date.now() + READING_MS
  await pLimit(AT_ONCE).map(references, async (reference) => {
    if (out || Date.now() > until || results.has(reference)) return
    const result = await readTransaction(session, reference)
    results.set(reference, result)
    out ||= isOut(result)
  })
  return results
}

const isOut = (result: Result<Transaction>): boolean => !result.ok && OUT.has(result.problem.kind)

const OUT: ReadonlySet<Problem['kind']> = new Set(['unreachable', 'sign-on-out', 'session-over'])

interface StateSources {
  readonly seen: readonly SeenState[]
  readonly read: Result<Transaction> | undefined
}

function depositOf(session: Session, row: CommandRow, { seen, read }: StateSources): ConfirmedDeposit {
  const { debit = '', toAccountId = '' } = JSON.parse(row.facts) as Readonly<Record<string, string>>
  const { bankReference = '' } = JSON.parse(row.params) as Readonly<Record<string, string>>
  const refused = read?.ok === false && (read.problem.status === 403 || read.problem.status === 404)
  const hidden = refused && row.actor !== session.actor
  const last = hidden ? null : lastSeen(seen, read)
  const heldSince = seen.find(({ state }) => state === 'PROCESSING')?.firstSeenAt ?? null
  return {
    commandId: row.id,
    reference: row.target,
    facts: hidden ? null : { amount: debit, holder: toAccountId, bankReference },
    confirmedBy: actorWords(session, row),
    confirmedAt: row.sent_at ?? row.created_at,
    seen: last,
    unread: unreadOf(last, read),
    hold: hidden
      ? { kind: 'not-told' }
      : holdOf({
          state: last?.state ?? null,
          settledAt: last?.since ?? null,
          endsAt: holdEndOf(row),
          heldSince,
          nowMs: serviceNowMs(),
        }),
  }
}

export interface LastSeen {
  readonly state: string
  readonly at: string
  /** The service's time; null if it gives none. */
  readonly since: string | null
}

function lastSeen(seen: readonly SeenState[], read: Result<Transaction> | undefined): LastSeen | null {
  if (read?.ok) return { state: read.value.state, since: stateSince(read.value), at: new Date().toISOString() }
  const final = lastSeenIn(seen)
  return final === undefined ? null : { state: final.state, since: final.since, at: final.firstSeenAt }
}

/** A final state wins over a later entry. `seen`: earliest first. */
export const lastSeenIn = (seen: readonly SeenState[]): SeenState | undefined =>
  seen.find(({ state }) => isFinal(state)) ?? seen.at(-1)

function unreadOf(last: LastSeen | null, read: Result<Transaction> | undefined): ConfirmedDeposit['unread'] {
  if (read !== undefined) return read.ok ? null : read.problem
  return last !== null && isFinal(last.state) ? null : 'not-read'
}

export function holdEndOf({ outcome }: CommandRow): string | null {
  if (outcome === null) return null
  const written = parseOutcome(outcome)
  const lines = written.class === 'done' ? written.lines : []
  return lines.find(({ label }) => label === HOLD_ENDS)?.value ?? null
}

export interface EndingHold {
  readonly reference: string
  /** Decimal text in BZD. */
  readonly amount: string
  readonly endsAt: string
  readonly latest: boolean
  /** The service has just confirmed that the hold still runs. */
  readonly readNow: boolean
}

export interface EndingHolds {
  readonly holds: readonly EndingHold[]
  /** Null if more deposits were confirmed than are read here. */
  readonly count: number | null
  readonly everyone: boolean
}

const DAY_MS = 86_400_000
/** Allows for clock skew, so that a hold that has just begun is included. */
const CLOCK_SLACK_MS = 60_000
const READ_MAX = 2_000
const SHOWN_MAX = 10
const NOTHING_SEEN: readonly SeenState[] = []

/** Reads the store only, so a deposit reversed during its hold may be included until {@link holdsNow}. */
export async function holdsEnding(session: Session): Promise<EndingHolds> {
  const everyone = await permits(session, 'confirmedDeposits.read')
  const db = await store()
  const wanted = { kind: KIND, actor: everyone ? null : session.actor }
  const { commands } = await findEffectivePage(db, wanted, { page: 1, size: READ_MAX })
  // Reconciliation may have found a lost answer a day later.
  const since = new Date(Date.now() - 2 * DAY_MS).toISOString()
  const lately = commands.filter(({ sent_at }) => sent_at !== null && sent_at >= since)
  const seen = Map.groupBy(
    await findStatesSeen(
      db,
      lately.map(({ target }) => target),
    ),
    ({ reference }) => reference,
  )
  const holds = lately
    .flatMap((row) => endingHold(row, seen.get(row.target) ?? NOTHING_SEEN, serviceNowMs()))
    .toSorted((one, other) => Date.parse(one.endsAt) - Date.parse(other.endsAt))
  const all = commands.length < READ_MAX || lately.length < commands.length
  return { holds: holds.slice(0, SHOWN_MAX), count: all ? holds.length : null, everyone }
}

const HELD: ReadonlySet<string> = new Set(['QUEUED', 'PENDING', 'PROCESSING'])

const READ_FOR_MS = 20_000
const READ_KEPT_MAX = 1_000

const lately = () =>
  perProcess('holds read lately', () => boundedCache<Result<Transaction>>(READ_KEPT_MAX, READ_FOR_MS))

export async function holdsNow(session: Session, ending: EndingHolds): Promise<EndingHolds> {
  const keyOf = (reference: string) => `${session.id} ${reference}`
  const reads = new Map<string, Result<Transaction>>()
  for (const { reference } of ending.holds) {
    const read = lately().get(keyOf(reference))
    if (read !== undefined) reads.set(reference, read)
  }
  const missing = ending.holds.map(({ reference }) => reference).filter((reference) => !reads.has(reference))
  for (const [reference, read] of await readAll(session, new Set(missing), null)) {
    reads.set(reference, read)
    if (read.ok) lately().set(keyOf(reference), read)
  }
  const holds = ending.holds.flatMap((hold) => {
    const read = reads.get(hold.reference)
    if (read?.ok !== true) return [hold]
    const goesOn = HELD.has(read.value.state) && Date.parse(hold.endsAt) > serviceNowMs()
    return goesOn ? [{ ...hold, readNow: true }] : []
  })
  const over = ending.holds.length - holds.length
  return { ...ending, holds, count: ending.count === null ? null : ending.count - over }
}

function endingHold(row: CommandRow, seen: readonly SeenState[], nowMs: number): readonly EndingHold[] {
  const last = lastSeenIn(seen)?.state ?? null
  const hold = holdOf({
    // The confirmation took effect, so QUEUED or PENDING was seen before it.
    state: last === 'QUEUED' || last === 'PENDING' ? null : last,
    settledAt: null,
    endsAt: holdEndOf(row),
    heldSince: seen.find(({ state }) => state === 'PROCESSING')?.firstSeenAt ?? null,
    nowMs,
  })
  if (hold.kind !== 'ends' || Date.parse(hold.at) > nowMs + DAY_MS + CLOCK_SLACK_MS) return []
  return [
    { reference: row.target, amount: factsOf(row).debit ?? '', endsAt: hold.at, latest: hold.latest, readNow: false },
  ]
}
