import { type Insertable, sql } from 'kysely'
import type { Tables, Trx } from '#sandbox/world/tables.ts'

/** Few statements are fast, but a statement that is too large is slow. */
const CHUNK = 20_000

/** PostgreSQL expands one JSON parameter into rows. Keeps their order. */
export async function insertRows<Table extends keyof Tables>(
  trx: Trx,
  table: Table,
  rows: readonly Insertable<Tables[Table]>[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += CHUNK) {
    const chunk = rows.slice(start, start + CHUNK)
    const columns = sql.join(Object.keys(chunk[0] ?? {}).map((column) => sql.ref(column)))
    await sql`
      INSERT INTO ${sql.table(table)} (${columns})
      SELECT ${columns} FROM json_populate_recordset(NULL::${sql.table(table)}, ${JSON.stringify(chunk)}::json)`.execute(
      trx,
    )
  }
}
