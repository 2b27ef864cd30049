import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pino from 'pino'
import { beforeEach, expect, test, vi } from 'vitest'
import { bootId, peekPerProcess, putPerProcess } from '#lib/config/per-process.ts'
import { open } from '#lib/database/open.ts'
import { hourly } from '#lib/store/periodic.ts'
import { dropDeadProcesses, writeHeartbeat } from '#lib/store/ready.ts'
import { migrate, store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { startCommand } from './execute.ts'
import { maintain, startMaintenance, vacuumNext } from './maintenance.ts'
import { findOpen } from './queries.ts'
import { whileSending } from './send.ts'
import { findCommand, insertDraft } from './store.ts'

const LONG_AGO = new Date(Date.now() - 200_000).toISOString()

beforeEach(async () => {
  await freshConsole()
})

async function sent(change: { readonly boot_id?: string; readonly sent_at?: string } = {}): Promise<string> {
  const db = await store()
  const id = randomUUID()
  const made = { id, kind: 'deposit.confirm', actor: 'sso:1', actorName: 'x', target: id, params: '{}', facts: '{}' }
  await insertDraft(db, made)
  await startCommand(db, id, [])
  if (Object.keys(change).length > 0) await db.updateTable('command').set(change).where('id', '=', id).execute()
  return id
}

const stateOf = async (id: string) => (await findCommand(await store(), id))?.state

test('what this process holds as being sent is left alone, and what it does not hold becomes unknown', async () => {
  const [held, dropped] = [await sent(), await sent()]
  await whileSending(held, async () => {
    await maintain()
    expect(await stateOf(held)).toBe('sent')
    expect(await stateOf(dropped)).toBe('unknown')
  })
  expect((await findOpen(await store())).map(({ id }) => id)).toContain(dropped)
  await maintain()
  expect(await stateOf(held)).toBe('unknown')
})

test('names a failed chore, and runs the others', async () => {
  const bad = vi.fn(async () => void (await sql`SELECT * FROM no_such_table`.execute(await store())))
  const good = vi.fn().mockResolvedValue(undefined)
  const lines: string[] = []
  putPerProcess('log', pino({}, { write: (line: string) => void lines.push(line) }))
  putPerProcess('maintenance', undefined)
  startMaintenance({ bad, good })
  try {
    await vi.waitFor(() => expect(good).toHaveBeenCalled(), 60_000)
    expect(bad).toHaveBeenCalled()
    const told = /"event":"maintenance","chore":"bad","error":"DatabaseError","code":"42P01"/
    expect(lines).toContainEqual(expect.stringMatching(told))
  } finally {
    putPerProcess('log', pino({ level: 'silent' }))
    peekPerProcess<() => void>('maintenance')?.()
    putPerProcess('maintenance', undefined)
  }
})

test('pauses an hourly chore for a minute after a failure', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const name = randomUUID()
  const chore = vi.fn().mockRejectedValueOnce(new Error('x')).mockResolvedValueOnce(false).mockResolvedValue(true)
  await expect(hourly(name, chore)).rejects.toThrow('x')
  const callsAfter = async (ms: number) => {
    vi.setSystemTime(Date.now() + ms)
    await hourly(name, chore)
    return chore.mock.calls.length
  }
  expect([await callsAfter(59_999), await callsAfter(1)]).toEqual([1, 2])
  expect([await callsAfter(0), await callsAfter(3_599_999), await callsAfter(1)]).toEqual([3, 3, 4])
})

test('an hourly chore runs on although the clock was set back', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const [name, chore] = [randomUUID(), vi.fn().mockResolvedValue(true)]
  const callsAfter = async (ms: number) => {
    vi.setSystemTime(Date.now() + ms)
    await hourly(name, chore)
    return chore.mock.calls.length
  }
  expect([await callsAfter(0), await callsAfter(-6 * 3_600_000), await callsAfter(3_600_000)]).toEqual([1, 1, 2])
})

test('a process stays alive while a chore hangs', async () => {
  const hanging = vi.fn(() => new Promise<void>(() => {}))
  const latestBeat = async () => {
    const { beat_at } = await (await store()).selectFrom('console_process').select('beat_at').executeTakeFirstOrThrow()
    return beat_at
  }
  putPerProcess('maintenance', undefined)
  startMaintenance({ hanging })
  try {
    await vi.waitFor(() => expect(hanging).toHaveBeenCalled(), 60_000)
    await writeHeartbeat(await store(), bootId())
    for (let count = 0; count < 2; count += 1) {
      const before = await latestBeat()
      await vi.waitFor(async () => expect(await latestBeat()).toBeGreaterThan(before), 60_000)
    }
    expect(hanging).toHaveBeenCalledOnce()
  } finally {
    peekPerProcess<() => void>('maintenance')?.()
    putPerProcess('maintenance', undefined)
  }
})

test('a send that is held twice is held until both are over', async () => {
  const id = await sent()
  await whileSending(id, async () => {
    await whileSending(id, async () => {})
    await maintain()
    expect(await stateOf(id)).toBe('sent')
  })
})

test('nothing is sent for longer than sending can take, whoever holds it', async () => {
  const other = randomUUID()
  const [ours, theirs] = [await sent({ sent_at: LONG_AGO }), await sent({ sent_at: LONG_AGO, boot_id: other })]
  await writeHeartbeat(await store(), other)
  await whileSending(ours, maintain)
  expect([await stateOf(ours), await stateOf(theirs)]).toEqual(['unknown', 'unknown'])
})

test('a process that has been dead for an hour is forgotten, and one that lives is not', async () => {
  const db = await store()
  const dead = randomUUID()
  await writeHeartbeat(db, bootId())
  await writeHeartbeat(db, dead)
  await db
    .updateTable('console_process')
    .set(({ eb }) => ({ beat_at: eb('beat_at', '-', 3_601) }))
    .where('boot_id', '=', dead)
    .execute()
  await dropDeadProcesses(db)
  const left = await db.selectFrom('console_process').select('boot_id').execute()
  expect(left.map(({ boot_id }) => boot_id)).toContain(bootId())
  expect(left.map(({ boot_id }) => boot_id)).not.toContain(dead)
})

test('keeps the embedded store from growing with deleted rows', async () => {
  const { db, close } = await open<Tables>('memory:')
  await migrate(db)
  const changeAndDelete = async () => {
    await sql`INSERT INTO news (key) SELECT 'case:' || at FROM generate_series(1, 5000) AS at`.execute(db)
    await sql`DELETE FROM news`.execute(db)
    // Otherwise the store counts changes up to a second later.
    await sql`SELECT pg_stat_force_next_flush()`.execute(db)
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
  // The first round leaves no room for the second one.
  expect(sizes.at(-1), sizes.join(' ')).toBeLessThan(1.5 * (sizes[1] ?? 0))
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM pg_stat_user_tables WHERE last_vacuum IS NULL OR last_analyze IS NULL`.execute(db)
  expect(rows[0]?.count).toBe(0)
  await changeAndDelete()
  await vacuumNext(db)
  const last = sql`SELECT relname FROM pg_stat_user_tables ORDER BY last_vacuum DESC LIMIT 1`
  expect((await last.execute(db)).rows).toEqual([{ relname: 'news' }])
  await close()
})
