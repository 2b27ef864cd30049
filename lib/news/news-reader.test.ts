import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { insertDraft, moveCommand } from '#lib/commands/command-table.ts'
import { startCommand } from '#lib/commands/start-command.ts'
import { saveActivity } from '#lib/session/vault/session-table.ts'
import { store } from '#lib/store/store.ts'
import { onCommit } from '#lib/store/transaction.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { NewsReader } from './news-reader.ts'
import { eraseNews, KEPT_SECONDS, readNews } from './news-table.ts'

const stops: (() => void)[] = []

beforeEach(async () => {
  await freshConsole()
})
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

const tell = async (key: string) => (await store()).insertInto('news').values({ key }).execute()

async function following(reader: NewsReader, ...keys: string[]) {
  const heard: string[] = []
  for (const key of keys) stops.push(reader.follow([key], () => heard.push(key)))
  await reader.read()
  await reader.read()
  heard.length = 0
  return heard
}

test('who follows a key is woken when it has changed, once, and nobody else', async () => {
  const reader = new NewsReader(store)
  const heard = await following(reader, 'a', 'b')
  await tell('a')
  await reader.read()
  await reader.read()
  expect(heard).toEqual(['a'])
})

test('when reading begins everything is taken as changed: what came before it is in no news', async () => {
  const heard: string[] = []
  const reader = new NewsReader(store)
  stops.push(reader.follow(['a'], () => heard.push('a')))
  await reader.read()
  expect(heard).toEqual(['a'])
})

test('so is everything after a gap in which news may have been erased', async () => {
  const reader = new NewsReader(store)
  const heard = await following(reader, 'a', 'b')
  heard.length = 0
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    // A read may join one that began before the gap.
    while (heard.length === 0) {
      vi.setSystemTime(Date.now() + KEPT_SECONDS * 1000)
      await reader.read()
    }
  } finally {
    vi.useRealTimers()
  }
  expect(heard).toEqual(['a', 'b'])
})

test('a store that was out meanwhile has lost nothing', async () => {
  let out = false
  const reader = new NewsReader(() => (out ? Promise.reject(new Error('out')) : store()))
  const heard = await following(reader, 'a')
  out = true
  await tell('a')
  // One that began before the store was out may end well.
  await reader.read().catch(() => {})
  await expect(reader.read()).rejects.toThrow('out')
  out = false
  await reader.read()
  expect(heard).toEqual(['a'])
})

test('news are erased when all have read them', async () => {
  const db = await store()
  await tell('new')
  await db
    .insertInto('news')
    .values({ key: 'old', at: sql<number>`extract(epoch FROM clock_timestamp()) - 400` })
    .execute()
  await eraseNews(db)
  expect((await db.selectFrom('news').select('key').execute()).map(({ key }) => key)).toEqual(['new'])
})

test('a transaction tells this process that there may be news, once it is committed', async () => {
  let commits = 0
  stops.push(onCommit(() => (commits += 1)))
  const reader = new NewsReader(store)
  await following(reader, 'a')
  const { inTransaction } = await import('#lib/store/transaction.ts')
  await inTransaction(await store(), async (trx) => {
    await trx.insertInto('news').values({ key: 'a' }).execute()
    expect(commits).toBe(0)
  })
  expect(commits).toBe(1)
})

test('the database writes the news of a change itself, in its transaction', async () => {
  const db = await store()
  const { next } = await readNews(db, null)
  await saveActivity(db, 'nobody', new Date().toISOString())
  expect((await readNews(db, next)).rows).toEqual([])
})

test('a thread that is read for the first time, and its payer, are news of its case, also where nobody has written', async () => {
  const db = await store()
  const { next } = await readNews(db, null)
  const keys = async () => (await readNews(db, next)).rows.map(({ key }) => key)
  await db.insertInto('case_thread').values({ case_id: 'c1', payer: null, read_at: 0 }).execute()
  await db.updateTable('case_thread').set({ read_at: 5 }).execute()
  await db.updateTable('case_thread').set({ read_at: 6 }).execute()
  await db.updateTable('case_thread').set({ payer: 'u1' }).execute()
  expect(await keys()).toEqual(['case:c1', 'case:c1', 'case:c1'])
})

test('a change is news to who sent it, and to everybody while its end is not known', async () => {
  const db = await store()
  const { next } = await readNews(db, null)
  const known = new Set<number>()
  const newKeys = async () => {
    const rows = (await readNews(db, next)).rows.filter(({ id }) => !known.has(id))
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
