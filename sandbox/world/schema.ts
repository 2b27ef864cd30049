import { sql } from 'kysely'
import { makeAppendOnly } from '#lib/database/open.ts'
import type { Trx } from './tables.ts'

/** Increase it with every change of a table: a store with another version is seeded again. */
export const SCHEMA_VERSION = '4'

/** A table comes after those that refer to it. */
export const tables = [
  'kyc_delivery',
  'step_up_grant',
  'totp',
  'dispute_message',
  'dispute_case',
  'terminal',
  'merchant',
  'card',
  'ledger_due',
  'ledger_history',
  'ledger_entry',
  'ledger_row',
  'account',
  'oidc_record',
  'app_user',
] as const

type Table = (typeof tables)[number]

/** The database refuses updates and deletes. Each with its key, in the order in which the ledger writes to them. */
export const appendOnly: ReadonlyMap<Table, string> = new Map([
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

export async function createTables(trx: Trx): Promise<void> {
  await createIdentityTables(trx)
  await createLedgerTables(trx)
  await createCardAndTerminalTables(trx)
  await createDisputeTables(trx)
  await createSecurityTables(trx)
  for (const table of appendOnly.keys()) await makeAppendOnly(trx, table)
}

/** Settings survive a reset: the signing key, the schema version and the clock offset. */
export async function createSettings(trx: Trx): Promise<void> {
  await sql`CREATE TABLE IF NOT EXISTS setting (key text PRIMARY KEY, value text NOT NULL)`.execute(trx)
}

async function createIdentityTables(trx: Trx): Promise<void> {
  await sql`
    CREATE TABLE app_user (
      id text PRIMARY KEY, first_name text NOT NULL, last_name text NOT NULL,
      email text NOT NULL, email_key text NOT NULL UNIQUE, phone_number text NOT NULL,
      username text NOT NULL, username_key text NOT NULL UNIQUE,
      password_hash text NOT NULL, roles text NOT NULL, kyc_status text NOT NULL,
      may_sign_in boolean NOT NULL, failed_sign_ins integer NOT NULL, locked_until_ms bigint,
      token_generation integer NOT NULL, created_at text NOT NULL)`.execute(trx)
  await sql`
    CREATE TABLE oidc_record (
      model text NOT NULL, id text NOT NULL, payload text NOT NULL,
      grant_id text, uid text, user_code text, consumed_at bigint, expires_at bigint,
      PRIMARY KEY (model, id))`.execute(trx)
  await sql`CREATE INDEX oidc_record_grant ON oidc_record (grant_id) WHERE grant_id IS NOT NULL`.execute(trx)
  await sql`CREATE INDEX oidc_record_uid ON oidc_record (model, uid) WHERE uid IS NOT NULL`.execute(trx)
}

async function createLedgerTables(trx: Trx): Promise<void> {
  await sql`
    CREATE TABLE account (id text PRIMARY KEY, kind text NOT NULL CHECK (kind IN ('wallet', 'merchant', 'fees', 'reserve')))`.execute(
    trx,
  )
  await sql`
    CREATE TABLE ledger_row (
      sequence bigint GENERATED ALWAYS AS IDENTITY, row_id text PRIMARY KEY,
      reference_id text NOT NULL, version integer NOT NULL,
      from_account_id text NOT NULL REFERENCES account (id), to_account_id text NOT NULL REFERENCES account (id),
      credit numeric(30, 8) NOT NULL CHECK (credit >= 0), debit numeric(30, 8) NOT NULL,
      transaction_type text NOT NULL, state text NOT NULL, chain_reference_id text NOT NULL,
      tx_contract_address text NOT NULL, tx_contract_version text NOT NULL,
      created_at text NOT NULL, settled_at text, note text NOT NULL, fail_reason text NOT NULL,
      bank_reference text, card_id text, reversal_of text, recorded_at text NOT NULL,
      UNIQUE (reference_id, version), CHECK (debit >= 0 AND (debit >= credit OR reversal_of IS NOT NULL)))`.execute(trx)
  await sql`CREATE INDEX ledger_row_card ON ledger_row (card_id) WHERE card_id IS NOT NULL`.execute(trx)
  await sql`CREATE INDEX ledger_row_reversal ON ledger_row (reversal_of) WHERE reversal_of IS NOT NULL`.execute(trx)
  await sql`
    CREATE TABLE ledger_entry (
      account_id text NOT NULL REFERENCES account (id), bucket text NOT NULL CHECK (bucket IN ('available', 'escrow')),
      position bigint NOT NULL, row_id text NOT NULL REFERENCES ledger_row (row_id),
      amount numeric(30, 8) NOT NULL CHECK (amount <> 0), balance_after numeric(30, 8) NOT NULL,
      may_go_below_zero boolean NOT NULL, CHECK (may_go_below_zero OR balance_after >= 0),
      PRIMARY KEY (account_id, bucket, position))`.execute(trx)
  await sql`
    CREATE TABLE ledger_history (
      account_id text NOT NULL REFERENCES account (id), position bigint NOT NULL, reference_id text NOT NULL,
      PRIMARY KEY (account_id, position))`.execute(trx)
  await sql`CREATE TABLE ledger_due (reference_id text PRIMARY KEY, due_at text NOT NULL)`.execute(trx)
  await sql`CREATE INDEX ledger_due_at ON ledger_due (due_at)`.execute(trx)
}

async function createCardAndTerminalTables(trx: Trx): Promise<void> {
  await sql`
    CREATE TABLE card (
      id text PRIMARY KEY, user_id text NOT NULL REFERENCES app_user (id), card_number text NOT NULL UNIQUE,
      card_type integer NOT NULL, printed_name text NOT NULL,
      status text NOT NULL CHECK (status IN ('UNISSUED', 'ACTIVE', 'BLOCKED')), frozen boolean NOT NULL,
      issued_at text NOT NULL, activated_at text, frozen_at text,
      per_txn_cap numeric(30, 8), daily_cap numeric(30, 8), lifetime_cap numeric(30, 8))`.execute(trx)
  await sql`CREATE INDEX card_user ON card (user_id, issued_at)`.execute(trx)
  await sql`
    CREATE TABLE merchant (
      id text PRIMARY KEY, name text NOT NULL, owner_user_id text NOT NULL REFERENCES app_user (id),
      account_id text NOT NULL REFERENCES account (id))`.execute(trx)
  await sql`
    CREATE TABLE terminal (
      id text PRIMARY KEY, merchant_id text NOT NULL REFERENCES merchant (id), terminal_uid text NOT NULL UNIQUE,
      label text NOT NULL, status text NOT NULL CHECK (status IN ('ACTIVE', 'DISABLED')),
      registered_at text NOT NULL, updated_at text NOT NULL)`.execute(trx)
  await sql`CREATE INDEX terminal_merchant ON terminal (merchant_id, registered_at)`.execute(trx)
}

async function createDisputeTables(trx: Trx): Promise<void> {
  await sql`
    CREATE TABLE dispute_case (
      id text PRIMARY KEY, reference_id text NOT NULL UNIQUE,
      raised_by_user_id text NOT NULL, counterparty_user_id text NOT NULL,
      status text NOT NULL CHECK (status IN ('OPEN', 'RESOLVED')), reason text NOT NULL,
      resolution_outcome text, resolution_reason text, resolved_by_user_id text,
      created_at text NOT NULL, resolved_at text)`.execute(trx)
  await sql`CREATE INDEX dispute_case_status ON dispute_case (status, created_at)`.execute(trx)
  await sql`CREATE INDEX dispute_case_raised ON dispute_case (raised_by_user_id)`.execute(trx)
  await sql`CREATE INDEX dispute_case_counter ON dispute_case (counterparty_user_id)`.execute(trx)
  await sql`
    CREATE TABLE dispute_message (
      id text PRIMARY KEY, case_id text NOT NULL REFERENCES dispute_case (id), position integer NOT NULL,
      sender_user_id text, body text NOT NULL, created_at text NOT NULL, UNIQUE (case_id, position))`.execute(trx)
}

async function createSecurityTables(trx: Trx): Promise<void> {
  await sql`
    CREATE TABLE totp (
      user_id text PRIMARY KEY REFERENCES app_user (id), secret text, pending_secret text, enrolled_at text,
      used_step bigint NOT NULL, wrong_codes integer NOT NULL, locked_until_ms bigint)`.execute(trx)
  await sql`
    CREATE TABLE step_up_grant (
      token_hash text PRIMARY KEY, user_id text NOT NULL REFERENCES app_user (id), ends_ms bigint NOT NULL)`.execute(
    trx,
  )
  await sql`CREATE TABLE kyc_delivery (id text PRIMARY KEY)`.execute(trx)
}
