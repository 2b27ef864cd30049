import 'server-only'
import type { Kysely } from 'kysely'
import { log } from '#lib/config/log.ts'
import { type BoundedCache, boundedCache, perProcess } from '#lib/config/per-process.ts'
import type { Row } from '#lib/contract/endpoint.ts'
import { endpoints } from '#lib/contract/endpoints.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { Transaction } from '#lib/contract/transactions.ts'
import { type Result, read } from '#lib/service/client.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { isSameText } from '#lib/values/text.ts'
import { stateSince } from './transaction.ts'

/** `GET Transaction/{referenceId}`. The answer may spell the reference differently. Records the state as seen. */
export async function readTransaction(session: Session, referenceId: string): Promise<Result<Transaction>> {
  const result = await readAnyTransaction(session, referenceId)
  if (!result.ok || isSameText(result.value.referenceId, referenceId)) return result
  return { ok: false, problem: problemOf('unreadable', { status: 200 }) }
}

/** The answer may be about another transaction. */
export async function readAnyTransaction(session: Session, referenceId: string): Promise<Result<Transaction>> {
  const result = await read(session, endpoints.transactions.read, { referenceId })
  if (result.ok) recordState(result.value, result.serviceTime)
  return result
}

export interface HistoryPage {
  readonly rows: readonly Row<Transaction>[]
  readonly total: number
}

/** `GET Transaction/account/{accountId}`: `page` from 1, at most 100 rows, empty past the end. */
export async function readAccountHistory(
  session: Session,
  accountId: string,
  { page, pageSize }: { readonly page: number; readonly pageSize: number },
): Promise<Result<HistoryPage>> {
  const query = { page: String(page), pageSize: String(pageSize) }
  const result = await read(session, endpoints.transactions.history, { accountId }, query)
  if (!result.ok) return result
  const { transactions, totalCount } = result.value
  for (const row of transactions) {
    if (row.readable && row.value.state === 'DISPUTED') recordState(row.value, result.serviceTime)
  }
  return { ...result, value: { rows: transactions, total: totalCount } }
}

const REFERENCE_MAX_CHARS = 512
const STATE_MAX_CHARS = 64
const REMEMBERED_MAX = 20_000
const WAITING_MAX = 1_000

interface Notes {
  readonly remembered: BoundedCache<true>
  waiting: SeenState[]
  writing: boolean
}

const notes = (): Notes =>
  perProcess('state notes', () => ({ remembered: boundedCache(REMEMBERED_MAX), waiting: [], writing: false }))

/** The service gives only the present state, so each that is read is recorded. Never waits or throws. */
function recordState(transaction: Transaction, serviceTime: string | null): void {
  const { referenceId: reference, state } = transaction
  const { remembered, waiting } = notes()
  const key = JSON.stringify([reference, state])
  // PostgreSQL text cannot hold NUL, and one refused row would fail the whole batch.
  if (reference.length > REFERENCE_MAX_CHARS || state.length > STATE_MAX_CHARS || key.includes('\\u0000')) return
  if (remembered.has(key) || waiting.length >= WAITING_MAX) return
  remembered.set(key, true)
  const firstSeenAt = serviceTime ?? new Date().toISOString()
  waiting.push({ reference, state, firstSeenAt, since: stateSince(transaction) })
  void writeDown()
}

async function writeDown(): Promise<void> {
  const known = notes()
  if (known.writing) return
  known.writing = true
  try {
    while (known.waiting.length > 0) {
      const batch = known.waiting
      known.waiting = []
      try {
        await insertStatesSeen(await store(), batch)
      } catch {
        for (const { reference, state } of batch) known.remembered.delete(JSON.stringify([reference, state]))
        log().warn({ event: 'states-seen', count: batch.length }, 'states that were seen could not be noted')
      }
    }
  } finally {
    known.writing = false
  }
}

/** Earliest first. Null if the store cannot be read. */
export async function statesSeen(reference: string): Promise<readonly SeenState[] | null> {
  try {
    return await findStatesSeen(await store(), [reference])
  } catch {
    log().warn({ event: 'states-seen' }, 'states that were seen could not be read')
    return null
  }
}

export interface SeenState {
  readonly reference: string
  readonly state: string
  readonly firstSeenAt: string
  /** The service's time (ISO 8601); null if it gives none. */
  readonly since: string | null
}

async function insertStatesSeen(db: Kysely<Tables>, seen: readonly SeenState[]): Promise<void> {
  await db
    .insertInto('state_seen')
    .values(
      seen.map(({ reference, state, firstSeenAt, since }) => ({ reference, state, first_seen_at: firstSeenAt, since })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['reference', 'state'])
        .doUpdateSet(({ ref }) => ({ since: ref('excluded.since') }))
        .where('state_seen.since', 'is', null),
    )
    .execute()
}

export async function findStatesSeen(db: Kysely<Tables>, references: readonly string[]): Promise<SeenState[]> {
  if (references.length === 0) return []
  const rows = await db
    .selectFrom('state_seen')
    .select(['reference', 'state', 'first_seen_at', 'since'])
    .where('reference', 'in', references)
    .orderBy('first_seen_at')
    .orderBy('seen_order')
    .execute()
  return rows.map(({ first_seen_at: firstSeenAt, ...row }) => ({ ...row, firstSeenAt }))
}
