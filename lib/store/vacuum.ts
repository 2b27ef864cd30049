import 'server-only'
import { type Kysely, sql } from 'kysely'
import { perProcess } from '#lib/config/per-process.ts'
import type { Tables } from './tables.ts'

/** The embedded store has no autovacuum: its files would grow, and plans know no sizes. One table a call, in turn. */
export async function vacuumNext(db: Kysely<Tables>): Promise<void> {
  const waiting = perProcess('tables to vacuum', (): string[] => [])
  if (waiting.length === 0) waiting.push(...(await tableNames(db)))
  const name = waiting.pop()
  if (name !== undefined) await sql`VACUUM (ANALYZE) ${sql.table(name)}`.execute(db)
}

async function tableNames(db: Kysely<Tables>): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1`.execute(db)
  return rows.map(({ name }) => name)
}
