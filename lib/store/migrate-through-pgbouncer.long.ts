import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Opened, open, PREPARED } from '#lib/database/open.ts'
import { postgresDatabaseUrl } from '#lib/database/test-database.ts'
import { startPgBouncer, type TestPgBouncer } from '#lib/database/test-pgbouncer.ts'
import { migrate } from './store.ts'
import type { Tables } from './tables.ts'

const STARTS = 8

let url: string
let pooled: TestPgBouncer

beforeAll(async () => {
  url = await postgresDatabaseUrl()
  pooled = await startPgBouncer(url)
})
afterAll(() => pooled.stop())

async function withStore<Result>(address: string, work: (store: Opened<Tables>) => Promise<Result>): Promise<Result> {
  const store = await open<Tables>(address, { poolSize: 1 })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** Makes PgBouncer switch server connections. */
async function ask(until: Promise<unknown>): Promise<void> {
  let over = false
  void until.finally(() => {
    over = true
  })
  await withStore(pooled.url, async ({ db }) => {
    while (!over) await sql`SELECT pg_sleep(0.001)`.execute(db)
  })
}

test('through PgBouncer in transaction mode, no statement is prepared', async () => {
  const store = await open<Tables>(pooled.url, { poolSize: 2, statementMs: 5_000 })
  const run = () => sql`SELECT pg_backend_pid() AS pid ${PREPARED}`.execute(store.db)
  for (let round = 0; round < 10; round += 1) await Promise.all([run(), run()])
  const kept = await sql`SELECT FROM pg_prepared_statements`.execute(store.db)
  await store.close()
  expect(kept.rows).toEqual([])
})

test('processes that start at once through PgBouncer in transaction mode all start, and leave no lock behind', async () => {
  const starts = Array.from({ length: STARTS }, () => withStore(pooled.url, ({ db }) => migrate(db)))
  const all = Promise.all(starts)
  await Promise.all([all, ask(all), ask(all), ask(all)])
  const { rows } = await withStore(url, ({ db }) =>
    sql`SELECT pid FROM pg_locks JOIN pg_database ON database = pg_database.oid
      WHERE locktype = 'advisory' AND datname = current_database()`.execute(db),
  )
  expect(rows).toEqual([])
})
