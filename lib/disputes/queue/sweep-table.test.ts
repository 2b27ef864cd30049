import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { problemOf } from '#lib/contract/problem-of.ts'
import { store } from '#lib/store/store.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { beginSweep, endSweep, recordSweptPage, sweepState } from './case-sweeps.ts'

/** Two processes before one store. */
const ONE = { token: 'sweep of one', boot: 'one', alone: false }
const OTHER = { token: 'sweep of the other', boot: 'other', alone: false }
const COMPLETE = { shortfall: null, problem: null, unreadable: 0 }
const at = (second: number): string => new Date(Date.UTC(2026, 6, 3, 0, 0, second)).toISOString()

const begin = async (sweep: typeof ONE) => beginSweep(await store(), sweep)
const note = async ({ token }: typeof ONE, page: number, readAt = at(page), total = 250) =>
  recordSweptPage(await store(), token, { page, readAt, total })
const end = async ({ token }: typeof ONE, how: Parameters<typeof endSweep>[2]) => endSweep(await store(), token, how)
const state = async () => sweepState(await store(), OTHER)

beforeEach(async () => {
  await freshConsole()
})

test('of processes that begin at once, one sweeps; when it has ended, another one can', async () => {
  const begun = await Promise.all([begin(ONE), begin(OTHER), begin({ ...OTHER, token: 'a third' })])
  expect(begun.filter(Boolean)).toHaveLength(1)
  await Promise.all([ONE, OTHER, { ...OTHER, token: 'a third' }].map((sweep) => end(sweep, COMPLETE)))
  expect(await begin(OTHER)).toBe(true)
})

test('a process that died loses its sweep when its lease is over, and writes nothing more', async () => {
  await begin(ONE)
  expect(await note(ONE, 1)).toBe(true)
  expect(await begin(OTHER)).toBe(false)
  await sql`UPDATE case_sweep SET lease_until = extract(epoch FROM clock_timestamp()) - 1`.execute(await store())
  expect((await state()).reading).toBeNull()
  expect(await begin(OTHER)).toBe(true)
  expect(await note(ONE, 2)).toBe(false)
  await end(ONE, COMPLETE)
  expect(await state()).toMatchObject({ completeAt: null, reading: { pages: 0 } })
})

test('where no other process can have the store open, a sweep of another one is dead at once', async () => {
  await begin(ONE)
  expect(await begin({ ...OTHER, alone: true })).toBe(true)
  expect(await begin({ ...OTHER, token: 'again', alone: true })).toBe(false)
})

test('it is told how far the sweep is, and between when the pages were read', async () => {
  expect(await state()).toMatchObject({ completeAt: null, oldestReadAt: null, reading: null, beganAt: null })
  await begin(ONE)
  for (const page of [1, 2]) await note(ONE, page)
  expect(await state()).toMatchObject({ reading: { pages: 2, of: 3 }, oldestReadAt: at(1), newestReadAt: at(2) })
  await note(ONE, 3)
  await end(ONE, { ...COMPLETE, unreadable: 2 })
  expect(await state()).toMatchObject({ reading: null, completeAt: expect.any(String), shortfall: null, unreadable: 2 })
  // The next one renews page by page; until then a page is as old as it is.
  await begin(OTHER)
  await note(OTHER, 1, at(40))
  expect(await state()).toMatchObject({ reading: { pages: 1, of: 3 }, oldestReadAt: at(2), newestReadAt: at(40) })
})

test('keeps the former sweep when one fails', async () => {
  await begin(ONE)
  for (const page of [1, 2, 3]) await note(ONE, page)
  await end(ONE, { ...COMPLETE, unreadable: 1 })
  const { completeAt } = await state()
  await begin(OTHER)
  await note(OTHER, 1, at(40), 90)
  await end(OTHER, { shortfall: 'problem', problem: problemOf('unreachable'), unreadable: 0 })
  expect(await state()).toMatchObject({
    ...{ completeAt, unreadable: 1, oldestReadAt: at(2) },
    ...{ shortfall: 'problem', problem: { kind: 'unreachable' } },
  })
  await begin(OTHER)
  await note(OTHER, 1, at(50), 90)
  await end(OTHER, COMPLETE)
  expect(await state()).toMatchObject({ shortfall: null, problem: null, oldestReadAt: at(50), unreadable: 0 })
})
