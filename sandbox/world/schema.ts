import { sql } from 'kysely'
import { makeAppendOnly } from '#lib/database/open.ts'
import { columns, type Tables, type Trx } from './tables.ts'

/** Increase it with every change of a table: a store with another version is seeded again. */
export const SCHEMA_VERSION = '4'

export const tables = (Object.keys(columns) as (keyof Tables)[]).filter((table) => table !== 'setting').reverse()

/** The database refuses updates and deletes. Each with its key, in the order in which the ledger writes to them. */
export const appendOnly: ReadonlyMap<keyof Tables, string> = new Map([
  ['ledger_row', 'row_id'],
  ['ledger_history', 'account_id, position'],
  ['ledger_entry', 'account_id, bucket, position'],
  ['dispute_message', 'id'],
])

/** Switches the append-only triggers off for this transaction, which only the tables' owner can do. */
export async function emptyTables(trx: Trx): Promise<void> {
  await setGuards(trx, 'DISABLE')
  await sql`TRUNCATE ${sql.join(tables.map((table) => sql.table(table)))} RESTART IDENTITY`.execute(trx)
  await setGuards(trx, 'ENABLE')
}

async function setGuards(trx: Trx, change: 'DISABLE' | 'ENABLE'): Promise<void> {
  for (const table of appendOnly.keys()) {
    await sql`ALTER TABLE ${sql.table(table)} ${sql.raw(change)} TRIGGER append_only`.execute(trx)
  }
}

export async function dropTables(trx: Trx): Promise<void> {
  for (const table of tables) await trx.schema.dropTable(table).ifExists().cascade().execute()
}

const constraints: Partial<Record<keyof Tables, string>> = {
  oidc_record: 'PRIMARY KEY (model, id)',
  ledger_row: 'UNIQUE (reference_id, version), CHECK (debit >= 0 AND (debit >= credit OR reversal_of IS NOT NULL))',
  ledger_entry: 'CHECK (may_go_below_zero OR balance_after >= 0), PRIMARY KEY (account_id, bucket, position)',
  ledger_history: 'PRIMARY KEY (account_id, position)',
  dispute_message: 'UNIQUE (case_id, position)',
}

const indexes = [
  'oidc_record_grant ON oidc_record (grant_id) WHERE grant_id IS NOT NULL',
  'oidc_record_uid ON oidc_record (model, uid) WHERE uid IS NOT NULL',
  'ledger_row_card ON ledger_row (card_id) WHERE card_id IS NOT NULL',
  'ledger_row_reversal ON ledger_row (reversal_of) WHERE reversal_of IS NOT NULL',
  'ledger_due_at ON ledger_due (due_at)',
  'card_user ON card (user_id, issued_at)',
  'terminal_merchant ON terminal (merchant_id, registered_at)',
  'dispute_case_status ON dispute_case (status, created_at)',
  'dispute_case_raised ON dispute_case (raised_by_user_id)',
  'dispute_case_counter ON dispute_case (counterparty_user_id)',
]

async function createTable(trx: Trx, table: keyof Tables): Promise<void> {
  const own = Object.entries(columns[table]).map(([name, type]) => `${name} ${type}`)
  const parts = [...own, ...(constraints[table] === undefined ? [] : [constraints[table]])]
  await sql.raw(`CREATE TABLE IF NOT EXISTS ${table} (${parts.join(', ')})`).execute(trx)
}

export async function createTables(trx: Trx): Promise<void> {
  for (const table of tables.toReversed()) await createTable(trx, table)
  for (const index of indexes) await sql.raw(`CREATE INDEX ${index}`).execute(trx)
  for (const table of appendOnly.keys()) await makeAppendOnly<Tables>(trx, table)
}

/** Settings survive a reset: the signing key, the schema version and the clock offset. */
export const createSettings = (trx: Trx): Promise<void> => createTable(trx, 'setting')
