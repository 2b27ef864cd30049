import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { onPostgres } from '#lib/database/test-database.ts'
import { lockedCurrentRow } from '#sandbox/ledger/append.ts'
import { HOLDERS, historyOf } from '#sandbox/seed/test-world.ts'
import { type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'
import { parseTicks } from './clock.ts'
import { resumeWorld } from './reset.ts'
import { readSetting, writeSetting } from './setting.ts'
import type { Tables, Trx } from './tables.ts'

let box: TestSandbox

beforeAll(async () => {
  box = await testSandbox()
  await box.reset()
})

const TIME = /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{7}Z$/

const seeded: readonly (keyof Tables)[] = [
  'app_user',
  'account',
  'totp',
  'merchant',
  'terminal',
  'card',
  'ledger_row',
  'ledger_entry',
  'ledger_history',
  'ledger_due',
  'dispute_case',
  'dispute_message',
]

/** Every row of every seeded table, each time as ticks before or after the first user was made. */
async function snapshot(): Promise<readonly string[]> {
  const { db } = box.sandbox.world
  const { created_at: zero } = await db
    .selectFrom('app_user')
    .select('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  const relative = (_key: string, value: unknown) =>
    typeof value === 'string' && TIME.test(value) ? String(parseTicks(value) - parseTicks(zero)) : value
  const rows = await Promise.all(
    seeded.map(async (table) =>
      (await db.selectFrom(table).selectAll().execute()).map((row) => `${table} ${JSON.stringify(row, relative)}`),
    ),
  )
  return rows.flat().sort()
}

test('two resets make the same world, to the last id, text and distance in time', async () => {
  const before = await snapshot()
  await box.advance(100)
  await box.reset()
  expect(await snapshot()).toEqual(before)
})

test('nothing that was done remains, and nobody is signed in', async () => {
  const before = await snapshot()
  const token = await box.token('ana@example.com')
  await box.call('POST', '/api/v1/Transaction/deposit', { as: token, body: { amount: 7 } })
  await box.call('POST', '/sandbox/clock', { body: { advanceSeconds: 86_400 * 4 } })
  await box.reset()
  expect(await snapshot()).toEqual(before)
  const { db } = box.sandbox.world
  for (const table of ['oidc_record', 'step_up_grant', 'kyc_delivery'] as const) {
    expect(await db.selectFrom(table).selectAll().execute(), table).toEqual([])
  }
})

test.each([['seed'], ['schema_version']])(
  'a store with another %s is made and seeded anew at the start',
  async (key) => {
    const { world } = box.sandbox
    const before = await snapshot()
    await box.call('POST', '/api/v1/Transaction/deposit', { as: 'ana@example.com', body: { amount: 7 } })
    await resumeWorld(world)
    expect(await snapshot()).not.toEqual(before)
    const value = await readSetting(world.db, key)
    await writeSetting(world.db, key, 'another')
    await resumeWorld(world)
    expect(await snapshot()).toEqual(before)
    expect(await readSetting(world.db, key)).toBe(value)
  },
)

test('resets under traffic: every answer is one of the service, and the world is the seeded one afterwards', async () => {
  const before = await snapshot()
  const token = await box.token('ana@example.com')
  const traffic = Array.from({ length: 40 }, (_, n) =>
    box.call('POST', '/api/v1/Transaction/deposit', { as: token, body: { amount: n + 1 } }),
  )
  const resets = Array.from({ length: 3 }, () => box.call('POST', '/sandbox/reset'))
  for (const { status } of await Promise.all(resets)) expect(status).toBe(200)
  for (const { status } of await Promise.all(traffic)) expect([200, 401]).toContain(status)
  await box.reset()
  expect(await snapshot()).toEqual(before)
  expect((await Promise.all(HOLDERS.map(([ending]) => historyOf(box, ending)))).every((rows) => rows.length > 30)).toBe(
    true,
  )
})

test('a reset gives way to a transaction that is under way', async () => {
  const before = await snapshot()
  const { db } = box.sandbox.world
  await db.insertInto('ledger_due').values({ reference_id: 'of nothing', due_at: '9999' }).execute()
  let reset: ReturnType<typeof box.call> | undefined
  await db.transaction().execute(async (trx) => {
    await lockedCurrentRow(trx, 'of nothing')
    reset = box.call('POST', '/sandbox/reset')
    if (onPostgres()) await expect.poll(() => waitingForLocks(trx)).toBeGreaterThan(0)
    await trx.deleteFrom('ledger_due').where('reference_id', '=', 'of nothing').execute()
  })
  expect((await reset)?.status).toBe(200)
  expect(await snapshot()).toEqual(before)
})

/** Transactions of this database. */
async function waitingForLocks(trx: Trx): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    SELECT count(DISTINCT pid)::int AS waiting FROM pg_locks
    WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`.execute(trx)
  return rows[0]?.waiting ?? 0
}
