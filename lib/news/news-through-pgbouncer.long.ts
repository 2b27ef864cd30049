import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Opened, open } from '#lib/database/open.ts'
import { postgresDatabaseUrl } from '#lib/database/test-database.ts'
import { startPgBouncer, type TestPgBouncer } from '#lib/database/test-pgbouncer.ts'
import { migrate } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { nothingIsMissed } from '#lib/testing/news-histories.ts'
import { NewsReader } from './news-reader.ts'

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

test('through PgBouncer in transaction mode, one process misses nothing that another one committed', async () => {
  await expect(nothingIsMissed(writer.db, reader.db, 60)).resolves.toBeUndefined()
})

test('and hears of it within a second or two', async () => {
  const heard: string[] = []
  const news = new NewsReader(async () => reader.db)
  const stop = news.follow(['case:1'], () => heard.push('case:1'))
  await news.read()
  heard.length = 0
  await writer.db.insertInto('news').values({ key: 'case:1' }).execute()
  await expect.poll(() => heard.length, { timeout: 2_500 }).toBeGreaterThan(0)
  stop()
})
