import { sql } from 'kysely'
import { appendOnly, tables } from './schema.ts'
import type { Trx } from './tables.ts'

/** Only a superuser can restore rows without triggers and foreign keys. */
export async function mayRestore(trx: Trx): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    SELECT rolsuper AS may FROM pg_roles WHERE rolname = current_user`.execute(trx)
  return rows[0]?.may ?? false
}

export async function copyTables(trx: Trx): Promise<void> {
  const copies = tables.map((table) => `CREATE UNLOGGED TABLE seeded.${table} AS TABLE ${table};`)
  await runAll(trx, [`DROP SCHEMA IF EXISTS seeded CASCADE; CREATE SCHEMA seeded;`, ...copies])
}

/** A sixth of the work of seeding again. */
export async function restoreTables(trx: Trx): Promise<void> {
  const restored = tables.map(
    (table) => `DELETE FROM ${table}; INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM seeded.${table};`,
  )
  await runAll(trx, [
    // In the order of a new seeding, to avoid deadlocks.
    `LOCK TABLE ${appendOnly.join(', ')} IN SHARE ROW EXCLUSIVE MODE; LOCK TABLE ${tables.join(', ')};`,
    'SET LOCAL session_replication_role = replica;',
    ...restored,
    'SET LOCAL session_replication_role = origin;',
  ])
}

const runAll = (trx: Trx, statements: readonly string[]) =>
  sql.raw(`DO $$ BEGIN ${statements.join(' ')} END $$`).execute(trx)
