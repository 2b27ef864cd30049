import { sql } from 'kysely'
import { store } from '#lib/store/store.ts'

/** Everything that the store has, table by table. */
export async function storeText(): Promise<string> {
  const db = await store()
  const { rows } = await sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`.execute(db)
  const texts = rows.map(async ({ name }) => {
    const all = await sql<{ row: string }>`SELECT ${sql.ref(name)}::text AS row FROM ${sql.table(name)}`.execute(db)
    return all.rows.map(({ row }) => row)
  })
  return (await Promise.all(texts)).flat().join('\n')
}
