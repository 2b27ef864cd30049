import { randomUUID } from 'node:crypto'
import { type CompiledQuery, type KyselyPlugin, sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startCommand } from '#lib/commands/execute.ts'
import { insertDraft, moveCommand } from '#lib/commands/store.ts'
import { saveActivity } from '#lib/session/vault/session-table.ts'
import { countRows, inTransaction, onCommit, store } from '#lib/store/store.ts'
import { eventually } from '#lib/testing/eventually.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { ChangeFeed, eraseChanges, KEPT_SECONDS, readChanges } from './change-feed.ts'

const stops: (() => void)[] = []

beforeEach(async () => {
  await freshConsole()
})
afterEach(() => {
  vi.useRealTimers()
  for (const stop of stops.splice(0)) stop()
})

const change = async (key: string) => (await store()).insertInto('news').values({ key }).execute()

async function listening(feed: ChangeFeed, ...keys: string[]) {
  const woken: string[] = []
  for (const key of keys) stops.push(feed.listen([key], () => woken.push(key)))
  await feed.read()
  await feed.read()
  woken.length = 0
  return woken
}

test('wakes the listeners of a changed key once', async () => {
  const feed = new ChangeFeed(store)
  const woken = await listening(feed, 'a', 'b')
  await change('a')
  await feed.read()
  await feed.read()
  expect(woken).toEqual(['a'])
})

test('wakes every listener at the start', async () => {
  const woken: string[] = []
  const feed = new ChangeFeed(store)
  stops.push(feed.listen(['a'], () => woken.push('a')))
  await feed.read()
  expect(woken).toEqual(['a'])
})

test('wakes every listener after a gap longer than rows are kept', async () => {
  let gap = 0
  const later: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => ({
      ...result,
      rows: result.rows.map((row) => ({ ...row, at: Number(row.at) + gap })),
    }),
  }
  const feed = new ChangeFeed(async () => (await store()).withPlugin(later))
  const woken = await listening(feed, 'a', 'b')
  gap = KEPT_SECONDS
  // A read may join one that began before the gap.
  await feed.read()
  await feed.read()
  expect(woken).toEqual(['a', 'b'])
})

test('misses nothing while the store fails', async () => {
  let out = false
  const feed = new ChangeFeed(() => (out ? Promise.reject(new Error('out')) : store()))
  const woken = await listening(feed, 'a')
  out = true
  await change('a')
  // One that began before the store was out may end well.
  await feed.read().catch(() => {})
  await expect(feed.read()).rejects.toThrow('out')
  out = false
  await feed.read()
  expect(woken).toEqual(['a'])
})

test('erases old changes', async () => {
  const db = await store()
  await change('new')
  await db
    .insertInto('news')
    .values({ key: 'old', at: sql<number>`extract(epoch FROM clock_timestamp()) - 400` })
    .execute()
  await eraseChanges(db)
  expect((await db.selectFrom('news').select('key').execute()).map(({ key }) => key)).toEqual(['new'])
})

test('a transaction announces its commit to this process', async () => {
  const db = await store()
  const rows: Promise<number>[] = []
  // Other work of this process may commit too. The row is visible once its own transaction has.
  stops.push(onCommit(() => rows.push(countRows(db.selectFrom('news').where('key', '=', 'a')))))
  await inTransaction(db, (trx) => trx.insertInto('news').values({ key: 'a' }).execute())
  expect(await rows.at(-1)).toBe(1)
})

test('reads soon after a commit of this process', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const feed = new ChangeFeed(store)
  const woken = await listening(feed, 'a')
  // The read that a new listener caused.
  vi.advanceTimersByTime(250)
  await feed.read()
  await inTransaction(await store(), (trx) => trx.insertInto('news').values({ key: 'a' }).execute())
  vi.advanceTimersByTime(250)
  vi.useRealTimers()
  await eventually(() => expect(woken).toEqual(['a']))
})

test('reads a commit that a read under way has missed', async () => {
  const gate = Promise.withResolvers<void>()
  let held = false
  // Its query is answered before the commit.
  const holding: Awaited<ReturnType<typeof store>> = new Proxy(await store(), {
    get(db, name) {
      if (name !== 'getExecutor') return Reflect.get(db, name)
      return () =>
        new Proxy(db.getExecutor(), {
          get(executor, key) {
            const own = Reflect.get(executor, key)
            if (key !== 'executeQuery') return typeof own === 'function' ? own.bind(executor) : own
            return async (query: CompiledQuery) => {
              const answer = await executor.executeQuery(query)
              held = true
              await gate.promise
              return answer
            }
          },
        })
    },
  })
  let holds = false
  const feed = new ChangeFeed(async () => (holds ? holding : await store()))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const woken = await listening(feed, 'a')
  // The read that a new listener caused.
  vi.advanceTimersByTime(250)
  await feed.read()
  holds = true
  const reading = feed.read()
  await eventually(() => expect(held).toBe(true))
  await inTransaction(await store(), (trx) => trx.insertInto('news').values({ key: 'a' }).execute())
  vi.advanceTimersByTime(250)
  holds = false
  gate.resolve()
  await reading
  vi.useRealTimers()
  await eventually(() => expect(woken).toEqual(['a']))
})

test('saving activity of an unknown session writes no key', async () => {
  const db = await store()
  const { next } = await readChanges(db, null)
  await saveActivity(db, 'nobody', new Date().toISOString())
  expect((await readChanges(db, next)).rows).toEqual([])
})

test('the first read of a thread and its payer write the key of the case', async () => {
  const db = await store()
  const { next } = await readChanges(db, null)
  const keys = async () => (await readChanges(db, next)).rows.map(({ key }) => key)
  await db.insertInto('case_thread').values({ case_id: 'c1', payer: null, read_at: 0 }).execute()
  await db.updateTable('case_thread').set({ read_at: 5 }).execute()
  await db.updateTable('case_thread').set({ read_at: 6 }).execute()
  await db.updateTable('case_thread').set({ payer: 'u1' }).execute()
  expect(await keys()).toEqual(['case:c1', 'case:c1', 'case:c1'])
})

test('a command writes the keys of its sender and of open changes', async () => {
  const db = await store()
  const { next } = await readChanges(db, null)
  const known = new Set<number>()
  const newKeys = async () => {
    const rows = (await readChanges(db, next)).rows.filter(({ id }) => !known.has(id))
    for (const { id } of rows) known.add(id)
    return rows.map(({ key }) => key)
  }
  const id = randomUUID()
  const about = { target: 'T', params: '{}', facts: '{}' }
  await insertDraft(db, { id, kind: 'case.assign', actor: 'sso:mia', actorName: 'Mia', ...about })
  await startCommand(db, id, [])
  const own = [`command:${id}`, 'commands', 'sent-by:sso:mia']
  expect(await newKeys()).toEqual(own)
  await moveCommand(db, id, { from: ['sent'], to: 'unknown', outcome: '{}' })
  expect(await newKeys()).toEqual([...own, 'open-changes'])
  await moveCommand(db, id, { from: ['unknown'], to: 'done', outcome: '{}' })
  expect(await newKeys()).toEqual([...own, 'open-changes'])
})
