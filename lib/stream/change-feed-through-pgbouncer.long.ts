import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Opened, open } from '#lib/database/open.ts'
import { postgresDatabaseUrl } from '#lib/database/test-database.ts'
import { startPgBouncer, type TestPgBouncer } from '#lib/database/test-pgbouncer.ts'
import { migrate } from '#lib/store/migrate.ts'
import type { Tables } from '#lib/store/tables.ts'
import { expectNothingMissed } from '#lib/testing/change-histories.ts'
import { ChangeFeed } from './change-feed.ts'

let pooled: TestPgBouncer
let writer: Opened<Tables>
let reader: Opened<Tables>

beforeAll(async () => {
  pooled = await startPgBouncer(await postgresDatabaseUrl())
  writer = await open<Tables>(pooled.url, { statementMs: 10_000 })
  reader = await open<Tables>(pooled.url, { statementMs: 10_000 })
  await migrate(writer.db)
})
afterAll(async () => {
  await writer.close()
  await reader.close()
  await pooled.stop()
})

test('misses no committed change through PgBouncer in transaction mode', async () => {
  await expect(expectNothingMissed(writer.db, reader.db, 60)).resolves.toBeUndefined()
})

test('wakes within two seconds', async () => {
  const woken: string[] = []
  const feed = new ChangeFeed(async () => reader.db)
  const stop = feed.listen(['case:1'], () => woken.push('case:1'))
  await feed.read()
  woken.length = 0
  await writer.db.insertInto('news').values({ key: 'case:1' }).execute()
  await expect.poll(() => woken.length, { timeout: 2_500 }).toBeGreaterThan(0)
  stop()
})
