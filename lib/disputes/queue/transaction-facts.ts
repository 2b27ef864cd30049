import 'server-only'
import { perProcess } from '#lib/config/per-process.ts'
import { liveSessions, onSessionEnded } from '#lib/session/live-sessions.ts'
import type { Session } from '#lib/session/session.ts'
import { readTransaction } from '#lib/transactions/server.ts'
import type { TransactionFact } from './queue.ts'

const AT_ONCE = 4
/** A disputed transaction moves when its case is resolved; one in a final state moves no more. */
const KEPT_MS = 60_000
const FINAL_KEPT_MS = 600_000
/** What could not be read is tried again soon, though not by every tab at once. */
const UNREAD_KEPT_MS = 5_000
const FINAL: ReadonlySet<string> = new Set(['PROCESSED', 'FAIL'])
const KEPT_MAX = 4_000

interface Kept {
  readonly fact: Promise<TransactionFact>
  until: number
}

interface Reader {
  readonly known: Map<string, Kept>
  /** Those who wait for their turn to ask the service. */
  readonly waiting: (() => void)[]
  asking: number
}

/**
 * What the transactions of cases hold, by reference: each read once, at most four at a time for one session, and kept for
 * a minute. A transaction that cannot be read is told as such; none keeps the others waiting for long.
 */
export async function transactionFacts(
  session: Session,
  references: readonly string[],
): Promise<Readonly<Record<string, TransactionFact>>> {
  const reader = readerOf(session)
  const facts = await Promise.all(
    references.map(async (reference) => [reference, await factOf(session, reader, reference)] as const),
  )
  return Object.fromEntries(facts)
}

function factOf(session: Session, reader: Reader, reference: string): Promise<TransactionFact> {
  const known = reader.known.get(reference)
  if (known !== undefined && known.until > Date.now()) return known.fact
  const kept: Kept = { fact: readInTurn(session, reader, reference), until: Number.POSITIVE_INFINITY }
  if (reader.known.size >= KEPT_MAX) reader.known.clear()
  reader.known.set(reference, kept)
  void kept.fact.then((fact) => {
    kept.until = Date.now() + keptMs(fact)
  })
  return kept.fact
}

function keptMs(fact: TransactionFact): number {
  if (fact.kind !== 'read') return fact.kind === 'unread' ? UNREAD_KEPT_MS : KEPT_MS
  return FINAL.has(fact.state) ? FINAL_KEPT_MS : KEPT_MS
}

async function readInTurn(session: Session, reader: Reader, reference: string): Promise<TransactionFact> {
  if (reader.asking >= AT_ONCE) await new Promise<void>((go) => reader.waiting.push(go))
  else reader.asking += 1
  try {
    const result = await readTransaction(session, reference)
    if (result.ok) return { kind: 'read', debit: result.value.debit, state: result.value.state }
    const { status, code, scope } = result.problem
    if (status === 404) return { kind: 'not-visible' }
    return status === 403 && code === null ? { kind: 'forbidden', scope } : { kind: 'unread' }
  } catch {
    return { kind: 'unread' }
  } finally {
    // The place goes on to the next one, or is free.
    const next = reader.waiting.shift()
    if (next === undefined) reader.asking -= 1
    else next()
  }
}

function readerOf(session: Session): Reader {
  const readers = allReaders()
  const reader = readers.get(session.id) ?? { known: new Map(), waiting: [], asking: 0 }
  if (liveSessions().has(session.id)) readers.set(session.id, reader)
  return reader
}

const allReaders = (): Map<string, Reader> =>
  perProcess('transaction facts', () => {
    const all = new Map<string, Reader>()
    onSessionEnded((sessionId) => void all.delete(sessionId))
    return all
  })
