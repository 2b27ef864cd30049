import 'server-only'
import { permits } from '#lib/authorization/judge.ts'
import { findEffectivePage } from '#lib/commands/queries.ts'
import { type CommandRow, factsOf } from '#lib/commands/row.ts'
import { boundedCache } from '#lib/config/cache.ts'
import { perProcess } from '#lib/config/per-process.ts'
import type { Transaction } from '#lib/contract/transactions.ts'
import type { Result } from '#lib/service/answer.ts'
import { serviceNowMs } from '#lib/service/service-clock.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { findStatesSeen, type SeenState } from '#lib/transactions/states-seen.ts'
import { holdEndOf, lastSeenIn, readAll } from './confirmed-deposits.ts'
import { holdOf } from './deposit.ts'

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
  const wanted = { kind: 'deposit.confirm', actor: everyone ? null : session.actor }
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
