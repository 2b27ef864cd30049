import 'server-only'
import { permits } from '#lib/authorization/judge.ts'
import { findEffectivePage } from '#lib/commands/queries.ts'
import type { CommandRow } from '#lib/commands/row.ts'
import { actorWords, parseOutcome } from '#lib/commands/view.ts'
import type { Problem } from '#lib/contract/problem.ts'
import type { Transaction } from '#lib/contract/transactions.ts'
import type { Result } from '#lib/service/answer.ts'
import { serviceNowMs } from '#lib/service/service-clock.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { findStatesSeen, type SeenState } from '#lib/transactions/states-seen.ts'
import { readTransaction } from '#lib/transactions/transaction-service.ts'
import { stateSince } from '#lib/transactions/transaction-state.ts'
import { HOLD_ENDS, type Hold, holdOf, isFinal } from './deposit.ts'

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

export interface ConfirmedPage {
  readonly everyone: boolean
  readonly deposits: readonly ConfirmedDeposit[]
  readonly total: number
}

export interface Known {
  readonly reference: string
  readonly result: Result<Transaction>
}

/**
 * Newest first. A person who may not read all deposits gets their own. Reads states that are not final from the
 * service.
 */
export async function readConfirmedDeposits(
  session: Session,
  page: { readonly page: number; readonly size: number },
  known: Known | null,
): Promise<ConfirmedPage> {
  const everyone = await permits(session, 'confirmedDeposits.read')
  const db = await store()
  const wanted = { kind: 'deposit.confirm', actor: everyone ? null : session.actor }
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
  return { everyone, deposits, total }
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
  const next = references[Symbol.iterator]()
  const readOn = async (): Promise<void> => {
    for (const reference of { [Symbol.iterator]: () => next }) {
      if (out || Date.now() > until) return
      if (results.has(reference)) continue
      const result = await readTransaction(session, reference)
      results.set(reference, result)
      out ||= isOut(result)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, readOn))
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
  if (read?.ok) {
    return { state: read.value.state, since: stateSince(read.value), at: new Date().toISOString() }
  }
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
