import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '#sandbox/world/tables.ts'
import { keepsHistory, RESERVE_ACCOUNT_ID } from './accounts.ts'
import { formatUnits, type Units } from './amount.ts'
import { currentRow, type LedgerRow } from './rows.ts'

export interface Posting {
  readonly accountId: string
  readonly bucket: 'available' | 'escrow'
  readonly units: Units
}

export type NewRow = Omit<LedgerRow, 'sequence' | 'row_id' | 'version'>

/** Locks the whole ledger until the end of the transaction. */
export async function lockLedger(trx: Trx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(7301)`.execute(trx)
}

export async function lockedCurrentRow(trx: Trx, referenceId: string): Promise<LedgerRow | undefined> {
  await lockLedger(trx)
  return await currentRow(trx, referenceId)
}

export const createTransaction = async (trx: Trx, row: NewRow, postings: readonly Posting[] = []): Promise<LedgerRow> =>
  await appendRow(trx, { ...row, row_id: randomUUID(), version: 1 }, [historyOf(row)], postings)

/** The ledger must be locked, or two rows could follow the same one. */
export async function appendState(
  trx: Trx,
  current: LedgerRow,
  change: Partial<NewRow> & Pick<NewRow, 'state' | 'recorded_at'>,
  postings: readonly Posting[] = [],
): Promise<LedgerRow> {
  const { sequence: _sequence, row_id: _rowId, version, ...kept } = current
  return await appendRow(trx, { ...kept, ...change, row_id: randomUUID(), version: version + 1 }, [], postings)
}

/** One statement: in the embedded engine each statement costs more than its work. */
async function appendRow(
  trx: Trx,
  row: Omit<LedgerRow, 'sequence'>,
  also: readonly RawBuilder<unknown>[],
  postings: readonly Posting[],
): Promise<LedgerRow> {
  const entries = entriesOf(row.row_id, postings)
  const insert = trx.insertInto('ledger_row').values(row).returningAll()
  // In the order in which a reset locks the tables, to avoid deadlocks.
  const all = [sql`appended AS (${insert})`, ...also, ...(entries === null ? [] : [entries])]
  const { rows } = await sql<LedgerRow>`WITH ${sql.join(all)} SELECT * FROM appended`.execute(trx)
  const [appended] = rows
  if (appended === undefined) throw new Error(`row ${row.row_id} was not written`)
  return appended
}

function historyOf(row: NewRow): RawBuilder<unknown> {
  const parties = [...new Set([row.from_account_id, row.to_account_id])].filter(keepsHistory)
  const accounts = sql.join(parties.map((id) => sql`(${id})`))
  return sql`history AS (
    INSERT INTO ledger_history (account_id, position, reference_id)
    SELECT party.id, coalesce(last.position, 0) + 1, ${row.reference_id}
    FROM (VALUES ${accounts}) AS party (id)
    LEFT JOIN LATERAL (
      SELECT position FROM ledger_history WHERE account_id = party.id ORDER BY position DESC LIMIT 1
    ) AS last ON true)`
}

/** Double entry: throws if the postings do not sum to zero. Null when nothing moves. */
function entriesOf(rowId: string, postings: readonly Posting[]): RawBuilder<unknown> | null {
  const moving = postings.filter(({ units }) => units !== 0n)
  if (moving.length === 0) return null
  const sum = moving.reduce((total, { units }) => total + units, 0n)
  const places = new Set(moving.map(({ accountId, bucket }) => `${accountId} ${bucket}`))
  if (sum !== 0n) throw new Error(`postings of ${rowId} do not sum to zero`)
  if (places.size !== moving.length) throw new Error(`postings of ${rowId} name a place twice`)
  const sides = sql.join(
    moving.map(({ accountId, bucket, units }) => {
      const below = accountId === RESERVE_ACCOUNT_ID
      return sql`(${accountId}, ${bucket}, ${formatUnits(units)}::numeric, ${below}::boolean)`
    }),
  )
  // Each entry stores the balance after it, so reading a balance reads one row.
  return sql`entries AS (
    INSERT INTO ledger_entry (account_id, bucket, position, row_id, amount, balance_after, may_go_below_zero)
    SELECT side.account_id, side.bucket, coalesce(last.position, 0) + 1, ${rowId}, side.amount,
      coalesce(last.balance_after, 0) + side.amount, side.below
    FROM (VALUES ${sides}) AS side (account_id, bucket, amount, below)
    LEFT JOIN LATERAL (
      SELECT position, balance_after FROM ledger_entry
      WHERE account_id = side.account_id AND bucket = side.bucket ORDER BY position DESC LIMIT 1
    ) AS last ON true)`
}
