import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Opened, open } from '#lib/database/open.ts'
import { postgresDatabaseUrl } from '#lib/database/test-database.ts'
import { migrate } from '#lib/store/migrate.ts'
import type { Tables } from '#lib/store/tables.ts'
import { expectNothingMissed } from '#lib/testing/change-histories.ts'

let writer: Opened<Tables>
let reader: Opened<Tables>

beforeAll(async () => {
  const url = await postgresDatabaseUrl()
  writer = await open<Tables>(url)
  reader = await open<Tables>(url, { poolSize: 2 })
  await migrate(writer.db)
})
afterAll(async () => {
  await writer.close()
  await reader.close()
})

test('misses no committed change, in whatever order transactions end', async () => {
  await expect(expectNothingMissed(writer.db, reader.db, 60)).resolves.toBeUndefined()
})
