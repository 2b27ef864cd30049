import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { putPerProcess } from '#lib/config/per-process.ts'
import { open } from '#lib/database/open.ts'
import { migrate } from './store.ts'
import type { Tables } from './tables.ts'
import { vacuumNext } from './vacuum.ts'

beforeEach(() => putPerProcess('tables to vacuum', undefined))

test('keeps the embedded store from growing with deleted rows', { timeout: 60_000 }, async () => {
  const { db, close } = await open<Tables>('memory:')
  await migrate(db)
  const changeAndDelete = async () => {
    await sql`INSERT INTO news (key) SELECT 'case:' || at FROM generate_series(1, 20000) AS at`.execute(db)
    await sql`DELETE FROM news`.execute(db)
  }
  const size = async () =>
    (await sql<{ bytes: number }>`SELECT pg_total_relation_size('news') AS bytes`.execute(db)).rows[0]?.bytes ?? 0
  const tables = await sql`SELECT FROM pg_tables WHERE schemaname = current_schema()`.execute(db)
  const sizes: number[] = []
  for (let round = 0; round < 4; round += 1) {
    await changeAndDelete()
    for (const _table of tables.rows) await vacuumNext(db)
    sizes.push(await size())
  }
  expect(sizes.at(-1)).toBeLessThanOrEqual(2 * (sizes[0] ?? 0))
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM pg_stat_user_tables WHERE last_vacuum IS NULL OR last_analyze IS NULL`.execute(db)
  expect(rows[0]?.count).toBe(0)
  await close()
})
