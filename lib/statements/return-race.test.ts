import { sql } from 'kysely'
import { expect } from 'vitest'
import { inTransaction, store } from '#lib/store/store.ts'
import { importedAndRead, MAPPING, statusesOf } from '#lib/testing/test-statement.ts'
import { serviceTest as test } from '#lib/testing/test-worlds.ts'
import { discardStatement, restoreStatement } from './statement-list.ts'
import { lockComparison } from './statement-table.ts'

const DATED = { ...MAPPING, bookedOn: 4 }

const fileOf = (...lines: readonly string[]) => Buffer.from(['Ref,Amount,Bank ref,Text,Day', ...lines].join('\n'))

test('a restore sees a return whose import it waits for', async ({ operator }) => {
  const first = await importedAndRead(operator, fileOf('RENT-1,10.00,,,2026-07-06'), DATED)
  await discardStatement(operator, first)
  const [db, held, end] = [await store(), Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const other = inTransaction(db, async (trx) => {
    await lockComparison(trx)
    held.resolve()
    await end.promise
  })
  await held.promise
  const waiting = sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM pg_locks JOIN pg_database ON pg_database.oid = database
    WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()`
  const untilWaiting = (count: number) =>
    expect.poll(async () => (await waiting.execute(db)).rows[0]?.count).toBe(count)
  const importing = importedAndRead(operator, fileOf('other,5.00,,,2026-07-07', 'RENT-1,-10.00,,,2026-07-07'), DATED)
  await untilWaiting(1)
  const restoring = restoreStatement(operator, first)
  await untilWaiting(2)
  end.resolve()
  await Promise.all([other, importing, restoring])
  expect(await statusesOf(first)).toEqual(['set-aside'])
})
