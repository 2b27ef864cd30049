import { type Kysely, sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'
import type { Tables } from '#sandbox/world/tables.ts'
import { withoutIndexes } from './bulk-load.ts'

let box: TestSandbox

beforeAll(async () => {
  box = await testSandbox()
  await box.reset()
})

/** Every key, constraint and index, as the database would write it. */
async function indexesOf(db: Kysely<Tables>): Promise<readonly string[]> {
  const { rows } = await sql<{ definition: string }>`
    SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) AS definition FROM pg_constraint
    WHERE connamespace = current_schema()::regnamespace AND conrelid <> 0
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema() ORDER BY 1`.execute(db)
  return rows.map(({ definition }) => definition)
}

test('keys and indexes are gone while it fills, and back afterwards to the last one', async () => {
  const { db } = box.sandbox.world
  const before = await indexesOf(db)
  let during: readonly string[] = []
  await db.transaction().execute((trx) =>
    withoutIndexes(trx, async () => {
      during = await indexesOf(trx)
    }),
  )
  expect(during.filter((definition) => /INDEX|KEY/.test(definition) && !/setting/.test(definition))).toEqual([])
  expect(await indexesOf(db)).toEqual(before)
})

test('what breaks a key fails, and leaves everything as it was', async () => {
  const { db } = box.sandbox.world
  const before = await indexesOf(db)
  const broken = db.transaction().execute((trx) =>
    withoutIndexes(trx, async () => {
      await sql`INSERT INTO ledger_history SELECT * FROM ledger_history LIMIT 1`.execute(trx)
    }),
  )
  await expect(broken).rejects.toThrow(/ledger_history_pkey/)
  expect(await indexesOf(db)).toEqual(before)
})
