import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { config } from '#lib/config/config.ts'
import { type Opened, open } from '#lib/database/open.ts'
import { logHead } from '#lib/journal/sequencer.ts'
import { type SilentProxy, silentProxy } from '#lib/testing/silent-proxy.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { runPeriodically } from './periodic.ts'
import { inTransaction, migrate, store } from './store.ts'
import type { Tables } from './tables.ts'

const STATEMENT_MS = 400

let proxy: SilentProxy
let opened: Opened<Tables>

beforeEach(async () => {
  await freshConsole()
  const url = new URL(config().databaseUrl)
  proxy = await silentProxy({ host: url.hostname, port: Number(url.port) })
  url.port = String(proxy.port)
  opened = await open<Tables>(url.href, { statementMs: STATEMENT_MS, poolSize: 2 })
})

afterEach(async () => {
  await opened.close()
  await proxy.stop()
})

const ask = () => logHead(opened.db)

test('a statement without an answer fails, and its connection is dropped', async () => {
  await Promise.all([ask(), ask()])
  proxy.silence()
  await Promise.all([ask(), ask()].map((failed) => expect(failed).rejects.toMatchObject({ code: 'ETIMEDOUT' })))
  proxy.speak()
  for (let n = 0; n < 5; n += 1) expect(await ask()).toHaveProperty('size')
})

test('a transaction whose client vanished fails and releases its locks', async () => {
  const failed = inTransaction(opened.db, async (trx) => {
    await sql`SELECT 1 FROM log_head FOR UPDATE`.execute(trx)
    proxy.silence()
    await sql`SELECT 1`.execute(trx)
  })
  await expect(failed).rejects.toMatchObject({ code: 'ETIMEDOUT' })
  // The server ends it, so that others can write to the journal.
  await (await store()).transaction().execute((trx) => sql`SELECT 1 FROM log_head FOR UPDATE`.execute(trx))
})

test('a connection that the server ends between two statements of a transaction fails the next one, and no process', async () => {
  const failed = inTransaction(opened.db, async (trx) => {
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(trx)
    const others = await store()
    await sql`SELECT pg_terminate_backend(${rows[0]?.pid})`.execute(others)
    const backends = () => sql`SELECT FROM pg_stat_activity WHERE pid = ${rows[0]?.pid}`.execute(others)
    while ((await backends()).rows.length > 0) await new Promise(setImmediate)
    await sql`SELECT 1`.execute(trx)
  })
  await expect(failed).rejects.toThrow()
  expect(await ask()).toHaveProperty('size')
})

test('a statement that is slow inside a transaction is ended by the server', async () => {
  const slow = inTransaction(opened.db, (trx) => sql`SELECT pg_sleep(5)`.execute(trx))
  await expect(slow).rejects.toMatchObject({ code: expect.stringMatching(/^(?:57014|ETIMEDOUT)$/) })
})

test('rounds go on after a silence', async () => {
  let [rounds, failures] = [0, 0]
  const round = async () => {
    await ask()
    rounds += 1
  }
  const stop = runPeriodically(round, { everyMs: 20, deadlineMs: 2_000, onFailure: () => (failures += 1) })
  await expect.poll(() => rounds).toBeGreaterThan(2)
  proxy.silence()
  await expect.poll(() => failures, { timeout: 50_000 }).toBeGreaterThan(0)
  proxy.speak()
  const before = rounds
  await expect.poll(() => rounds, { timeout: 50_000 }).toBeGreaterThan(before)
  stop()
})

test('a round that never ends keeps no later one from beginning, and none overlaps one that is on time', async () => {
  let [begun, underWay, most] = [0, 0, 0]
  const round = async () => {
    begun += 1
    if (begun === 1) return await new Promise<void>(() => {})
    underWay += 1
    most = Math.max(most, underWay)
    await wait(30)
    underWay -= 1
  }
  const stop = runPeriodically(round, { everyMs: 5, deadlineMs: 100, onFailure: () => {} })
  await expect.poll(() => begun, { timeout: 50_000 }).toBeGreaterThan(4)
  stop()
  expect(most).toBe(1)
})

test('a migration waits seconds for a lock, not for a dump', async () => {
  const other = await open<Tables>(config().databaseUrl, { poolSize: 1 })
  await inTransaction(await store(), async (trx) => {
    await sql`LOCK TABLE kysely_migration_lock IN ACCESS EXCLUSIVE MODE`.execute(trx)
    await expect(migrate(other.db)).rejects.toMatchObject({ code: '55P03' })
  })
  await migrate(other.db)
  await other.close()
})
