import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { orderKey, type ThreadMessage } from '#lib/disputes/thread/thread.ts'
import { store } from '#lib/store/store.ts'
import { claimedBy } from '#lib/testing/test-claim.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import {
  casesOf,
  type KnownThread,
  knownThreads,
  lastSeenIn,
  recordReading,
  recordSeen,
  recordUnread,
  rememberMessages,
  savePayer,
} from './thread-table.ts'

const ANA = 'A0000000-0000-4000-8000-0000000000AA'
const BEN = 'B0000000-0000-4000-8000-0000000000BB'
const ME = '00000000-0000-4000-8000-0000000000cc'

let caseId: string

beforeEach(async () => {
  await freshConsole()
  caseId = randomUUID()
})

const message = (second: number, change: Partial<ThreadMessage> = {}): ThreadMessage => ({
  id: randomUUID(),
  senderUserId: ANA,
  isSystemMessage: false,
  body: 'a secret of the parties',
  createdAt: `2026-07-01T10:00:0${second}.0000000Z`,
  ...change,
})

async function known(actor = 'sso:me', id = caseId): Promise<KnownThread | undefined> {
  return (await knownThreads(await store(), actor, [id.toUpperCase()])).get(id)
}
const unread = async (actor?: string) => (await known(actor))?.writers.map((writer) => [writer.userId, writer.unread])

async function read(...messages: readonly ThreadMessage[]): Promise<void> {
  const db = await store()
  await rememberMessages(db, caseId.toUpperCase(), messages)
  await recordReading(db, caseId)
}

test('messages count once each, however often and in whatever order they come, and under either spelling', async () => {
  const [one, two, three] = [message(1), message(2), message(3)]
  const db = await store()
  await rememberMessages(db, caseId, [three])
  await Promise.all([read(one, two), read(three, two, one), read({ ...two, id: two.id.toUpperCase() })])
  expect(await known()).toMatchObject({
    writers: [{ userId: ANA.toLowerCase(), unread: 3, lastKey: `2026-07-01T10:00:03.0000000 ${three.id}` }],
  })
})

test('knows the last messages, in whatever parts they come', async () => {
  const db = await store()
  const part = fc.array(fc.integer({ min: 0, max: 7 }), { minLength: 1, maxLength: 4 })
  const authors = fc.array(fc.constantFrom(ANA, ME, BEN), { minLength: 8, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(authors, fc.array(part, { minLength: 1, maxLength: 6 }), async (authors, parts) => {
      const id = randomUUID()
      const thread = authors.map((senderUserId, at) => message(at, { senderUserId }))
      const partOf = (places: readonly number[]) => thread.filter((_, at) => places.includes(at))
      for (const places of parts) await rememberMessages(db, id, partOf(places))
      const kept = partOf(parts.flat())
      const last = kept.at(-1)
      const other = kept.findLast(({ senderUserId }) => senderUserId !== last?.senderUserId)
      const found = await db.selectFrom('case_thread').selectAll().where('case_id', '=', id).executeTakeFirst()
      expect([found?.last_key, found?.other_key]).toEqual([last && orderKey(last), other ? orderKey(other) : null])
      expect(found?.last_author).toBe(last?.senderUserId?.toLowerCase())
    }),
    { numRuns: 60 },
  )
})

test('knows a thread only after it was read whole', async () => {
  await rememberMessages(await store(), caseId, [message(1)])
  expect(await known()).toBeUndefined()
  await read()
  expect(await unread()).toEqual([[ANA.toLowerCase(), 1]])
})

test('what the service itself notes in a thread counts for nothing', async () => {
  await read(message(1, { isSystemMessage: true, senderUserId: null }), message(2, { senderUserId: null }))
  expect(await unread()).toEqual([])
})

test('marks a seen message and all before it as read', async () => {
  const [one, two, three] = [message(1), message(2), message(3, { senderUserId: ME })]
  await read(one, two, three)
  const db = await store()
  // Of two tabs the one that is behind tells last.
  await recordSeen(db, 'sso:me', caseId.toUpperCase(), two)
  await recordSeen(db, 'sso:me', caseId, one)
  expect(await unread()).toEqual(
    expect.arrayContaining([
      [ANA.toLowerCase(), 0],
      [ME, 1],
    ]),
  )
  expect(await unread('sso:other')).toEqual(
    expect.arrayContaining([
      [ANA.toLowerCase(), 2],
      [ME, 1],
    ]),
  )
  // Arrives late, and was written before what was seen.
  await read(message(0))
  expect(await unread()).toEqual(expect.arrayContaining([[ANA.toLowerCase(), 0]]))
})

test('marks a message and all after it as unread', async () => {
  const [one, two, three] = [message(1), message(2), message(3)]
  await read(one, two, three)
  const db = await store()
  await recordSeen(db, 'sso:me', caseId, three)
  await recordUnread(db, 'sso:me', caseId.toUpperCase(), two)
  expect(await unread()).toEqual([[ANA.toLowerCase(), 2]])
  await recordUnread(db, 'sso:me', caseId, three)
  expect(await unread()).toEqual([[ANA.toLowerCase(), 2]])
  await recordUnread(db, 'sso:me', caseId, one)
  expect(await unread()).toEqual([[ANA.toLowerCase(), 3]])
})

test('times without zeros at their end are put in the same order', async () => {
  const [one, two] = [
    message(1, { createdAt: '2026-07-01T10:00:01.12Z' }),
    message(1, { createdAt: '2026-07-01T10:00:01.1234567Z' }),
  ]
  await read(one, two)
  await recordSeen(await store(), 'sso:me', caseId, one)
  expect(await unread()).toEqual([[ANA.toLowerCase(), 1]])
})

test('of a case that this console does not know nothing is kept for a reader', async () => {
  await recordSeen(await store(), 'sso:me', caseId, message(9))
  await read(message(1))
  expect(await unread()).toEqual([[ANA.toLowerCase(), 1]])
})

test('nothing that was written is kept', async () => {
  await read(message(1))
  const rows = await (await store()).selectFrom('case_message').selectAll().execute()
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain('secret')
})

test('who paid is kept, also where the thread was not read yet, and tells nothing of it', async () => {
  const db = await store()
  await savePayer(db, caseId, ANA)
  expect(await known()).toBeUndefined()
  await read()
  expect(await known()).toMatchObject({ payer: ANA.toLowerCase(), writers: [] })
  expect((await known())?.ageSeconds).toBeLessThan(20)
})

test('a person’s own cases are those assigned last, and how many there are in all', async () => {
  const ids = Array.from({ length: 4 }, () => randomUUID())
  for (const id of ids) await claimedBy('sso:me', id)
  await claimedBy('sso:other', randomUUID())
  const none = { assigned: 0, watched: 0 }
  expect(await casesOf(await store(), 'sso:me', 2)).toEqual({ ids: [ids[3], ids[2]], more: { ...none, assigned: 2 } })
  expect(await casesOf(await store(), 'sso:nobody', 2)).toEqual({ ids: [], more: none })
})

test('the last message seen is this person’s own', async () => {
  const [one, two] = [message(1), message(2)]
  await read(one, two)
  const db = await store()
  await recordSeen(db, 'sso:me', caseId, two)
  await recordSeen(db, 'sso:me', caseId, one)
  expect(await lastSeenIn(db, 'sso:me', caseId.toUpperCase())).toBe(orderKey(two))
  expect(await lastSeenIn(db, 'sso:other', caseId)).toBeNull()
})
