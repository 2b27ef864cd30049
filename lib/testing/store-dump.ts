import { sql } from 'kysely'
import { store } from '#lib/store/store.ts'

/** Everything in the console's store, as text. */
export async function storeDump(): Promise<string> {
  const db = await store()
  const { rows: tables } = await sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()`.execute(db)
  if (tables.length < 8) throw new Error('these are not all tables')
  const all = await Promise.all(tables.map(({ name }) => sql`SELECT * FROM ${sql.table(name)}`.execute(db)))
  return JSON.stringify(all.map(({ rows }) => rows))
}
