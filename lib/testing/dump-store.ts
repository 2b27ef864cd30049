import { sql } from 'kysely'
import { store } from '#lib/store/store.ts'

export type DumpedRow = Readonly<Record<string, unknown>>

/** Everything that a thief of the console's store has, by table. */
export async function dumpStore(): Promise<ReadonlyMap<string, readonly DumpedRow[]>> {
  const db = await store()
  const tables = await sql<{
    table_name: string
  }>`SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'`.execute(db)
  const dumped = await Promise.all(
    tables.rows.map(async ({ table_name: table }) => {
      const { rows } = await sql<DumpedRow>`SELECT * FROM ${sql.table(table)}`.execute(db)
      return [table, rows] as const
    }),
  )
  return new Map(dumped)
}
