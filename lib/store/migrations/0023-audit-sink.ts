import { type Kysely, sql } from 'kysely'

/** How far the signed log was streamed, by target. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('log_sink')
    // SHA-256: an address may have secrets.
    .addColumn('target', 'text', (column) => column.primaryKey())
    .addColumn('next_index', 'bigint', (column) => column.notNull())
    .addColumn('holder', 'text', (column) => column.notNull())
    .addColumn('held_until', 'double precision', (column) => column.notNull())
    .addCheckConstraint('log_sink_next_index', sql`next_index >= 0`)
    .execute()
}
