import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { inTransaction, store } from '#lib/store/store.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import { endSession } from './end-session.ts'
import type { Session } from './session.ts'
import { readUnsentText, readWrite, removeErasedText, removeSentText, saveUnsentText } from './unsent-text.ts'

const START = Date.parse('2026-11-20T08:00:00.000Z')

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: START })
  await freshConsole()
})
afterEach(() => {
  vi.useRealTimers()
})

let writes = 0

/** Each text by the same page. */
async function save(session: Session, place: string, text: string): Promise<void> {
  writes += 1
  await saveUnsentText(session, place, { text, page: 'the page', number: writes, base: 0 })
}

const signIn = async (actor = 'sso:1') => await openForTest(await signInForTest({ actor }))

test('a text is kept for its person and its place, past the end of the session', async () => {
  const session = await signIn()
  await save(session, 'deposit:DEP~1', 'ATL')
  await save(session, 'deposit:DEP~1', 'ATL-1')
  await save(session, 'deposit:DEP~2', 'other')
  await endSession(session.id, 'signed-out')
  const again = await signIn()
  expect((await readUnsentText(again, 'deposit:DEP~1')).text).toBe('ATL-1')
  expect((await readUnsentText(again, 'deposit:DEP~2')).text).toBe('other')
  expect((await readUnsentText(again, 'deposit:DEP~3')).text).toBe('')
  expect((await readUnsentText(await signIn('sso:2'), 'deposit:DEP~1')).text).toBe('')
})

test.each([
  ['every paragraph', 'case:a', 'X', 'X\n\nA\n\nX\n\nX', 'A'],
  ['a text of two paragraphs', 'resolve:a', 'X\n\nX', 'X\n\nX', ''],
  ['nothing about another case', 'case:aa', 'X', 'X', 'X'],
  ['no part of a paragraph', 'case:a', 'X', 'X A', 'X A'],
])('an erasure removes %s', async (_what, place, erased, text, left) => {
  const session = await signIn()
  await save(session, place, text)
  await inTransaction(await store(), (trx) => removeErasedText(trx, session.actor, 'A', erased))
  expect((await readUnsentText(session, place)).text).toBe(left)
})

test('a text that another page only offers stays', async () => {
  const session = await signIn()
  await save(session, 'a', 'A long answer')
  const write = { text: 'B', page: crypto.randomUUID(), number: 1, base: 99, offered: 'A long answer' }
  expect(await saveUnsentText(session, 'a', write)).toMatchObject({ other: 'A long answer' })
  expect(await saveUnsentText(session, 'a', { ...write, number: 2, offered: null })).toMatchObject({ other: null })
})

test('an empty text is forgotten, that place’s and that person’s only', async () => {
  const [mine, theirs] = [await signIn(), await signIn('sso:2')]
  for (const session of [mine, theirs]) {
    for (const place of ['a', 'b']) await save(session, place, `${session.actor} ${place}`)
  }
  await save(mine, 'a', '')
  const left = await (await store())
    .selectFrom('text_draft')
    .select('text')
    .where('text', '<>', '')
    .orderBy('text')
    .execute()
  expect(left.map(({ text }) => text)).toEqual(['sso:1 b', 'sso:2 a', 'sso:2 b'])
})

test('of a hundred and one texts of a person, the one typed longest ago goes', async () => {
  const [mine, theirs] = [await signIn(), await signIn('sso:2')]
  await save(theirs, 'place 0', 'theirs')
  for (let n = 0; n < 100; n += 1) {
    vi.setSystemTime(START + n)
    await save(mine, `place ${n}`, 'mine')
  }
  vi.setSystemTime(START + 100)
  await save(mine, 'place 0', 'mine, later')
  vi.setSystemTime(START + 101)
  await save(mine, 'place 100', 'mine')
  expect((await readUnsentText(mine, 'place 0')).text).toBe('mine, later')
  expect((await readUnsentText(mine, 'place 1')).text).toBe('')
  expect((await readUnsentText(mine, 'place 2')).text).toBe('mine')
  expect((await readUnsentText(theirs, 'place 0')).text).toBe('theirs')
})

test('the longest text is kept whole, and the database refuses a longer one', async () => {
  const session = await signIn()
  await save(session, 'a', 'ü'.repeat(10_000))
  expect((await readUnsentText(session, 'a')).text).toHaveLength(10_000)
  await expect(save(session, 'a', 'ü'.repeat(10_001))).rejects.toThrow()
})

test('removing a sent text is a later write to its place', async () => {
  const session = await signIn()
  await save(session, 'a', 'sent ')
  await save(session, 'b', 'typed since')
  const before = await readUnsentText(session, 'a')
  await inTransaction(await store(), async (trx) => {
    for (const place of ['a', 'b'])
      await removeSentText(trx, session.actor, place, (text) => (text === 'sent' ? '' : text))
  })
  const after = await readUnsentText(session, 'a')
  expect([after.text, after.version > before.version]).toEqual(['', true])
  expect((await readUnsentText(session, 'b')).text).toBe('typed since')
})

const [BEFORE, HERE] = ['6f1d0c52-5b1e-4c53-9a4a-0d8a3a4e2f10', '0b8c1f4e-6a0f-4d55-8a40-3c1c5b7e9d21']

test('of two writes of one page that overtake each other, the later one stays; another page’s write always counts', async () => {
  const session = await signIn()
  await saveUnsentText(session, 'a', { text: 'second', page: BEFORE, number: 2, base: 0 })
  await saveUnsentText(session, 'a', { text: 'first', page: BEFORE, number: 1, base: 0 })
  expect((await readUnsentText(session, 'a')).text).toBe('second')
  await saveUnsentText(session, 'a', { text: 'of another page', page: HERE, number: 1, base: 0 })
  expect((await readUnsentText(session, 'a')).text).toBe('of another page')
})

test('an earlier write that arrives later does not bring back a removed text', async () => {
  const session = await signIn()
  await saveUnsentText(session, 'a', { text: '', page: BEFORE, number: 2, base: 0 })
  await saveUnsentText(session, 'a', { text: 'first', page: BEFORE, number: 1, base: 0 })
  expect((await readUnsentText(session, 'a')).text).toBe('')
})

test('a removed text is not offered, and displaces no other', async () => {
  const session = await signIn()
  await save(session, 'kept', 'kept')
  for (let n = 0; n < 100; n += 1) await save(session, `place ${n}`, '')
  expect((await readUnsentText(session, 'kept')).text).toBe('kept')
  const { other } = await saveUnsentText(session, 'place 99', { text: 'typed', page: HERE, number: 1, base: 0 })
  expect([other, (await readUnsentText(session, 'place 99')).other]).toEqual([null, null])
})

test('a page finds the write that the previous page had not confirmed', async () => {
  const session = await signIn()
  await saveUnsentText(session, 'a', { text: 'half', page: BEFORE, number: 1, base: 0 })
  expect(await readWrite(session, 'a', BEFORE, 2)).toBeNull()
  await saveUnsentText(session, 'a', { text: 'whole', page: BEFORE, number: 3, base: 0 })
  expect(await readWrite(session, 'a', BEFORE, 2)).toMatchObject({ text: 'whole' })
  expect((await readUnsentText(session, 'a')).text).toBe('whole')

  expect(await readWrite(session, 'a', BEFORE, 4)).toBeNull()
  await saveUnsentText(session, 'a', { text: '', page: BEFORE, number: 4, base: 0 })
  expect(await readWrite(session, 'a', BEFORE, 4)).toMatchObject({ text: '' })
  expect((await readUnsentText(session, 'a')).text).toBe('')
  expect(await readWrite(await signIn('sso:2'), 'a', BEFORE, 4)).toBeNull()
})

describe('a write that arrives after the next page was read', () => {
  let session: Session
  let base: number

  beforeEach(async () => {
    session = await signIn()
    await saveUnsentText(session, 'a', { text: 'half', page: BEFORE, number: 1, base: 0 })
    ;({ version: base } = await readUnsentText(session, 'a'))
  })
  const arrive = () => saveUnsentText(session, 'a', { text: 'late', page: BEFORE, number: 2, base: 0 })
  const write = (number: number, text: string, seen = base) =>
    saveUnsentText(session, 'a', { text, page: HERE, number, base: seen })

  test('is neither replaced nor removed before that page has it', async () => {
    expect((await write(1, 'typed')).other).toBeNull()
    await arrive()
    expect((await write(2, 'typed')).other).toBe('late')
    expect((await write(3, '')).other).toBe('late')
    const found = await readUnsentText(session, 'a')
    expect(found).toMatchObject({ text: '', other: 'late' })
    expect((await write(4, 'typed', found.version)).other).toBeNull()
    expect(await readUnsentText(session, 'a')).toMatchObject({ text: 'typed', other: null })
  })

  test('replaces nothing that was typed on it', async () => {
    await write(1, 'typed')
    await arrive()
    expect(await readUnsentText(session, 'a')).toMatchObject({ text: 'late', other: 'typed' })
  })

  test('replaces the text that it continues', async () => {
    await arrive()
    expect(await readUnsentText(session, 'a')).toMatchObject({ text: 'late', other: null })
  })

  test('stays whichever of the two arrives first', async () => {
    const [{ other }] = await Promise.all([write(1, 'typed'), arrive()])
    const found = await readUnsentText(session, 'a')
    expect([found.text, found.other].sort()).toEqual(['late', 'typed'])
    expect(other === 'late').toBe(found.text === 'typed')
  })
})
