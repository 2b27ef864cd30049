import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import pLimit, { type LimitFunction } from 'p-limit'
import { perProcess } from '#lib/config/per-process.ts'
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
}

/** Returns cached facts, and promises for the others. At most four reads run at a time per session. */
export function comingFacts(session: Session, references: readonly string[]): ComingFacts {
  const reader = readerOf(session)
  const facts = references.map((reference) => {
    const kept = reader.kept.get(reference)
    const { known, reading, endedAt } =
      kept === undefined || kept.until <= Date.now() ? read(session, reader, reference) : kept
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

/** Returns how to stop. */
export function onFacts(session: Session, listen: () => void): () => void {
  const { listeners } = readerOf(session)
  listeners.add(listen)
  return () => void listeners.delete(listen)
}

/** True for failed reads, and for transactions still DISPUTED although their case is resolved. */
function isDue({ known, endedAt }: Kept, status: string): boolean {
  if (known === null || endedAt === null || endedAt + UNREAD_KEPT_MS > Date.now()) return false
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
  if (reader.kept.size >= KEPT_MAX) reader.kept.clear()
  reader.kept.set(reference, kept)
  void kept.reading.then((fact) => {
    kept.endedAt = Date.now()
    kept.until = kept.endedAt + keptMs(fact)
    kept.known = fact.kind === 'unread' ? (before ?? fact) : fact
    for (const listen of [...reader.listeners]) listen()
  })
  return kept
}

function keptMs(fact: TransactionFact): number {
  if (fact.kind !== 'read') return fact.kind === 'unread' ? UNREAD_KEPT_MS : KEPT_MS
  return FINAL.has(fact.state) ? FINAL_KEPT_MS : KEPT_MS
}

async function readFact(session: Session, reference: string): Promise<TransactionFact> {
  const readAt = Date.now()
  try {
    const result = await readTransaction(session, reference)
    if (result.ok) {
      const { debit, state } = result.value
      await recordAmount(reference, isAmount(debit) ? debit : null)
      return { kind: 'read', debit, state, readAt }
    }
    const { status, code, scope } = result.problem
    if (status === 404 || status === 403) await recordAmount(reference, null)
    if (status === 404) return { kind: 'not-visible', readAt }
    return status === 403 && code === null ? { kind: 'forbidden', scope, readAt } : { kind: 'unread' }
  } catch {
    return { kind: 'unread' }
  }
}

/** Nothing is written for a known amount: it never changes. */
async function recordAmount(reference: string, amount: string | null): Promise<void> {
  const db = await store()
  await db
    .insertInto('case_amount')
    .values({ reference, amount, read_at: sql`now()` })
    .onConflict((conflict) =>
      conflict
        .column('reference')
        .doUpdateSet(({ ref }) => ({ amount: ref('excluded.amount'), read_at: ref('excluded.read_at') }))
        .where('case_amount.amount', 'is', null),
    )
    .execute()
}

/** Reads amounts that a filter needs, one at a time. {@link onFacts} reports their end; a failed read ends them. */
export function readAmounts(session: Session, references: readonly string[]): void {
  const reader = readerOf(session)
  if (references.length === 0 || reader.readsAmounts) return
  reader.readsAmounts = true
  const readAll = async (): Promise<void> => {
    for (const reference of references) if ((await readFact(session, reference)).kind === 'unread') return
    for (const listen of [...reader.listeners]) listen()
  }
  void readAll().finally(() => {
    reader.readsAmounts = false
  })
}

function readerOf(session: Session): Reader {
  const readers = allReaders()
  const reader = readers.get(session.id) ?? {
    ...{ kept: new Map(), listeners: new Set(), limit: pLimit(AT_ONCE), readsAmounts: false },
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
