import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { store } from '#lib/store/store.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import { endSession } from './end-session.ts'
import { keepUnsentText, readUnsentText } from './unsent-text.ts'

const START = Date.parse('2026-11-20T08:00:00.000Z')

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: START })
  await freshConsole()
})
afterEach(() => {
  vi.useRealTimers()
})

const signIn = async (actor = 'sso:1') => await openForTest(await signInForTest({ actor }))

test('a text is kept for its person and its place, past the end of the session', async () => {
  const session = await signIn()
  await keepUnsentText(session, 'deposit:DEP~1', 'ATL')
  await keepUnsentText(session, 'deposit:DEP~1', 'ATL-1')
  await keepUnsentText(session, 'deposit:DEP~2', 'other')
  await endSession(session.id, 'signed-out')
  const again = await signIn()
  expect((await readUnsentText(again, 'deposit:DEP~1')).text).toBe('ATL-1')
  expect((await readUnsentText(again, 'deposit:DEP~2')).text).toBe('other')
  expect((await readUnsentText(again, 'deposit:DEP~3')).text).toBe('')
  expect((await readUnsentText(await signIn('sso:2'), 'deposit:DEP~1')).text).toBe('')
})

test('an empty text is forgotten, that place’s and that person’s only', async () => {
  const [mine, theirs] = [await signIn(), await signIn('sso:2')]
  for (const session of [mine, theirs]) {
    for (const place of ['a', 'b']) await keepUnsentText(session, place, `${session.actor} ${place}`)
  }
  await keepUnsentText(mine, 'a', '')
  const left = await (await store()).selectFrom('text_draft').select('text').orderBy('text').execute()
  expect(left.map(({ text }) => text)).toEqual(['sso:1 b', 'sso:2 a', 'sso:2 b'])
})

test('of a hundred and one texts of a person, the one typed longest ago goes', async () => {
  const [mine, theirs] = [await signIn(), await signIn('sso:2')]
  await keepUnsentText(theirs, 'place 0', 'theirs')
  for (let n = 0; n < 100; n += 1) {
    vi.setSystemTime(START + n)
    await keepUnsentText(mine, `place ${n}`, 'mine')
  }
  vi.setSystemTime(START + 100)
  await keepUnsentText(mine, 'place 0', 'mine, later')
  vi.setSystemTime(START + 101)
  await keepUnsentText(mine, 'place 100', 'mine')
  expect((await readUnsentText(mine, 'place 0')).text).toBe('mine, later')
  expect((await readUnsentText(mine, 'place 1')).text).toBe('')
  expect((await readUnsentText(mine, 'place 2')).text).toBe('mine')
  expect((await readUnsentText(theirs, 'place 0')).text).toBe('theirs')
})

test('the longest text is kept whole, and the database refuses a longer one', async () => {
  const session = await signIn()
  await keepUnsentText(session, 'a', 'ü'.repeat(10_000))
  expect((await readUnsentText(session, 'a')).text).toHaveLength(10_000)
  await expect(keepUnsentText(session, 'a', 'ü'.repeat(10_001))).rejects.toThrow()
})

const PAGE = '6f1d0c52-5b1e-4c53-9a4a-0d8a3a4e2f10'

test('of two writes of one page that overtake each other, the later one stays; another page’s write always counts', async () => {
  const session = await signIn()
  await keepUnsentText(session, 'a', 'second', { write: { page: PAGE, number: 2 } })
  await keepUnsentText(session, 'a', 'first', { write: { page: PAGE, number: 1 } })
  expect((await readUnsentText(session, 'a')).text).toBe('second')
  await keepUnsentText(session, 'a', 'of another page', { write: { page: 'other', number: 1 } })
  expect((await readUnsentText(session, 'a')).text).toBe('of another page')
})

test('a page waits for the text that the page before announced as it was left', async () => {
  const session = await signIn()
  await keepUnsentText(session, 'a', 'half', { write: { page: PAGE, number: 1 } })
  const read = readUnsentText(session, 'a', { page: PAGE, number: 2 })
  await keepUnsentText(session, 'a', 'whole', { write: { page: PAGE, number: 3 } })
  expect((await read).text).toBe('whole')

  const forgotten = readUnsentText(session, 'a', { page: PAGE, number: null })
  await keepUnsentText(session, 'a', '', { write: { page: PAGE, number: 4 } })
  expect((await forgotten).text).toBe('')
})

test('reports a late write as awaited, then finds it', async () => {
  const session = await signIn()
  await keepUnsentText(session, 'a', 'half', { write: { page: PAGE, number: 1 } })
  const waited = await readUnsentText(session, 'a', { page: PAGE, number: 2 })
  expect(waited).toEqual({ owner: 'sso:1', place: 'a', text: 'half', awaited: { page: PAGE, number: 2 } })
  await keepUnsentText(session, 'a', 'whole', { write: { page: PAGE, number: 2 } })
  const again = await readUnsentText(session, 'a', { page: PAGE, number: 2, failed: true })
  expect(again).toEqual({ owner: 'sso:1', place: 'a', text: 'whole' })
})

test('keeps an awaited text until its page has it', async () => {
  const session = await signIn()
  const [write, unseen] = [
    { page: 'other', number: 1 },
    { page: PAGE, number: 2 },
  ]
  await keepUnsentText(session, 'a', 'half', { write: { page: PAGE, number: 1 } })
  expect(await keepUnsentText(session, 'a', 'typed', { write, unseen })).toBeNull()
  await keepUnsentText(session, 'a', 'late', { write: unseen })
  expect(await keepUnsentText(session, 'a', 'typed', { write, unseen })).toBe('late')
  expect(await keepUnsentText(session, 'a', '', { write, unseen })).toBe('late')
  expect((await readUnsentText(session, 'a')).text).toBe('late')
  expect(await keepUnsentText(session, 'a', 'typed', { write })).toBeNull()
  expect((await readUnsentText(session, 'a')).text).toBe('typed')
})

test('a write that had failed before its page was left is told as awaited without a wait', async () => {
  const session = await signIn()
  const waiting = readUnsentText(session, 'a', { page: PAGE, number: 1 }).then(() => 'waited')
  const read = readUnsentText(session, 'a', { page: PAGE, number: 1, failed: true })
  expect(await Promise.race([read, waiting])).toMatchObject({ text: '', awaited: { page: PAGE, number: 1 } })
})
