import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import pLimit, { type LimitFunction } from 'p-limit'
import { log } from '#lib/config/log.ts'
import { perProcess, steadyNow } from '#lib/config/per-process.ts'
import { liveSessions, onSessionEnded } from '#lib/session/live-sessions.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { readTransaction } from '#lib/transactions/transaction-service.ts'
import { isAmount } from '#lib/values/amount-text.ts'
import type { ComingFacts, QueueRow, TransactionFact, TransactionFacts } from './queue.ts'

const AT_ONCE = 4
const KEPT_MS = 60_000
const FINAL_KEPT_MS = 600_000
const UNREAD_KEPT_MS = 5_000
const FINAL: ReadonlySet<string> = new Set(['PROCESSED', 'FAIL'])
const KEPT_MAX = 4_000
const LATE_MAX = 3
/** A streamed page waits no longer than this. */
const COMING_MS = 10_000

interface Kept {
  readonly reading: Promise<TransactionFact>
  known: TransactionFact | null
  endedAt: number | null
  until: number
}

interface Reader {
  readonly kept: Map<string, Kept>
  readonly listeners: Set<() => void>
  readonly limit: LimitFunction
  readsAmounts: boolean
  /** References whose amount this session has saved. */
  readonly recorded: Set<string>
}

/** Returns cached facts, and promises for the others. At most four reads run at a time per session. */
export function comingFacts(session: Session, references: readonly string[]): ComingFacts {
  const reader = readerOf(session)
  const facts = references.map((reference) => {
    const kept = reader.kept.get(reference)
    const { known, reading, endedAt } =
      kept === undefined || kept.until <= steadyNow() ? read(session, reader, reference) : kept
    return [reference, known !== null && endedAt !== null ? known : soon(reading)] as const
  })
  return Object.fromEntries(facts)
}

const soon = (reading: Promise<TransactionFact>): Promise<TransactionFact> =>
  Promise.race([reading, wait(COMING_MS, { kind: 'unread' } as const, { ref: false })])

/** Returns known facts only; {@link onFacts} reports the others when they arrive. */
export function factsAtHand(
  session: Session,
  rows: readonly Pick<QueueRow, 'reference' | 'status'>[],
): TransactionFacts {
  const reader = readerOf(session)
  const facts = rows.map(({ reference, status }) => {
    const kept = reader.kept.get(reference)
    const { known } = kept === undefined || isDue(kept, status) ? read(session, reader, reference) : kept
    return [reference, known] as const
  })
  return Object.fromEntries(facts.filter((fact): fact is [string, TransactionFact] => fact[1] !== null))
}

export function onFacts(session: Session, listen: () => void): () => void {
  const { listeners } = readerOf(session)
  listeners.add(listen)
  return () => void listeners.delete(listen)
}

/** True for failed reads, and for transactions still DISPUTED although their case is resolved. */
function isDue({ known, endedAt }: Kept, status: string): boolean {
  if (known === null || endedAt === null || endedAt + UNREAD_KEPT_MS > steadyNow()) return false
  return known.kind === 'unread' || (known.kind === 'read' && known.state === 'DISPUTED' && status !== 'OPEN')
}

function read(session: Session, reader: Reader, reference: string): Kept {
  const before = reader.kept.get(reference)?.known ?? null
  const kept: Kept = {
    reading: reader.limit(() => readFact(session, reference)),
    known: before,
    endedAt: null,
    until: Number.POSITIVE_INFINITY,
  }
  if (reader.kept.size >= KEPT_MAX) {
    reader.kept.clear()
    reader.recorded.clear()
  }
  reader.kept.set(reference, kept)
  void kept.reading.then((fact) => {
    kept.endedAt = steadyNow()
    kept.until = kept.endedAt + keptMs(fact)
    kept.known = fact.kind === 'unread' ? (before ?? fact) : fact
    if (fact.kind === 'read') void recordAmount(reader, reference, fact)
    for (const listen of [...reader.listeners]) listen()
  })
  return kept
}

function keptMs(fact: TransactionFact): number {
  if (fact.kind !== 'read') return fact.kind === 'unread' ? UNREAD_KEPT_MS : KEPT_MS
  return FINAL.has(fact.state) ? FINAL_KEPT_MS : KEPT_MS
}

const ALL_UNREAD = { kind: 'unread', cause: 'service' } as const
const CONCERN_ALL = new Set([401, 429, 502, 503])

async function readFact(session: Session, reference: string): Promise<TransactionFact> {
  const readAt = Date.now()
  // Up to a hundred reads may still wait for their turn.
  if (!liveSessions().has(session.id)) return ALL_UNREAD
  try {
    const result = await readTransaction(session, reference)
    if (result.ok) return { kind: 'read', debit: result.value.debit, state: result.value.state, readAt }
    const { kind, status, scope } = result.problem
    if (status === 404) return { kind: 'not-visible', readAt }
    if (status === 403) return { kind: 'forbidden', scope, readAt }
    if (status === null || status === 504) return { kind: 'unread', cause: 'late' }
    return kind === 'service' && CONCERN_ALL.has(status) ? ALL_UNREAD : { kind: 'unread' }
  } catch {
    return ALL_UNREAD
  }
}

/** Once per session. Null is stored for a transaction that could not be read. If it fails, a later read records it. */
async function recordAmount(reader: Reader, reference: string, fact: TransactionFact): Promise<void> {
  const amount = fact.kind === 'read' && isAmount(fact.debit) ? fact.debit : null
  if (reader.recorded.has(reference)) return
  try {
    const db = await store()
    await db
      .insertInto('case_amount')
      .values({ reference, amount, read_at: sql`now()` })
      .onConflict((conflict) =>
        conflict
          .column('reference')
          .doUpdateSet(({ ref }) => ({ amount: ref('excluded.amount'), read_at: ref('excluded.read_at') }))
          .where(sql<boolean>`case_amount.amount IS NULL OR case_amount.amount <> excluded.amount`),
      )
      .execute()
    if (amount !== null) reader.recorded.add(reference)
  } catch {
    log().warn({ event: 'case-amount' }, 'an amount could not be saved')
  }
}

/** Reads amounts that a filter needs, until a failure or {@link LATE_MAX} late answers concern all. */
export function readAmounts(session: Session, references: readonly string[]): void {
  const reader = readerOf(session)
  if (references.length === 0 || reader.readsAmounts) return
  reader.readsAmounts = true
  const readAll = async (): Promise<void> => {
    let late: string[] = []
    for (const reference of references) {
      const fact = await readFact(session, reference)
      const cause = fact.kind === 'unread' ? fact.cause : null
      if (cause === 'late') late.push(reference)
      if (cause === 'service' || late.length === LATE_MAX) return
      if (cause === 'late') continue
      for (const unanswered of late) await recordAmount(reader, unanswered, { kind: 'unread' })
      late = []
      await recordAmount(reader, reference, fact)
    }
    if (late.length === references.length) return
    for (const listen of [...reader.listeners]) listen()
  }
  void readAll().finally(() => {
    reader.readsAmounts = false
  })
}

function readerOf(session: Session): Reader {
  const readers = allReaders()
  const reader = readers.get(session.id) ?? {
    ...{ kept: new Map(), listeners: new Set(), limit: pLimit(AT_ONCE) },
    ...{ readsAmounts: false, recorded: new Set<string>() },
  }
  if (liveSessions().has(session.id)) readers.set(session.id, reader)
  return reader
}

const allReaders = (): Map<string, Reader> =>
  perProcess('transaction facts', () => {
    const all = new Map<string, Reader>()
    onSessionEnded((sessionId) => void all.delete(sessionId))
    return all
  })
