import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { CaseEvent } from '#lib/disputes/live/case-stream.ts'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import { schedule } from '#lib/stream/schedule.ts'
import { AssignedCaseFollower, type FollowerOptions } from './read-assigned-cases.ts'

const idOf = (number: number): string => `c0000000-0000-4000-8000-${String(number).padStart(12, '0')}`

const caseOf = (number: number, status = 'OPEN'): ThreadCase => ({
  id: idOf(number),
  referenceId: 'reference',
  raisedByUserId: 'ana',
  counterpartyUserId: 'ben',
  status,
  reason: 'Why.',
  resolutionOutcome: null,
  resolutionReason: null,
  resolvedByUserId: null,
  createdAt: '2026-07-01T10:00:00.0000000Z',
  resolvedAt: null,
})
const snapshot = (number: number): CaseEvent => ({
  type: 'snapshot',
  case: caseOf(number),
  readOnly: false,
  messages: [],
})
const failed = (status: number): CaseEvent => ({
  type: 'status',
  status: { state: 'polling', unreadable: 0, problem: problemOf('service', { status }) },
})

type Own = Awaited<ReturnType<FollowerOptions['ownCases']>>

/** Who listens, by case. */
let watched: Map<string, (event: CaseEvent, readAt?: string) => void>
let own: Own | Error
let over: boolean
let looks: number
/** Holds answers of the store. */
let gate: Promise<void> | undefined
let follower: AssignedCaseFollower

const assigned = (...numbers: readonly number[]): Own => ({
  ids: numbers.map(idOf),
  more: { assigned: 0, watched: 0 },
})
const told = () => {
  const known = follower.ask()
  return known.kind === 'known' ? known.cases.map(({ id, found }) => [id, found?.status ?? null]) : known.kind
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

beforeEach(async () => {
  vi.useFakeTimers()
  watched = new Map()
  own = assigned(1, 2)
  over = false
  looks = 0
  gate = undefined
  follower = new AssignedCaseFollower({
    watch(caseId, listener) {
      watched.set(caseId, (event, readAt = '') => listener(event, readAt))
      return () => void watched.delete(caseId)
    },
    async ownCases() {
      looks += 1
      const found = own
      await gate
      if (found instanceof Error) throw found
      return found
    },
    onCase: () => {},
    onOver: () => {
      over = true
    },
    schedule,
    now: () => Date.now(),
  })
  await pass(0)
})

afterEach(() => {
  follower.stop()
  vi.useRealTimers()
})

test('a case is told as this very session could read it, and not before', () => {
  expect(told()).toEqual([
    [idOf(1), null],
    [idOf(2), null],
  ])
  watched.get(idOf(1))?.(snapshot(1))
  expect(told()).toEqual([
    [idOf(1), 'OPEN'],
    [idOf(2), null],
  ])
})

test('drops a hidden case, and keeps an unreadable one', () => {
  watched.get(idOf(1))?.(snapshot(1))
  watched.get(idOf(2))?.(snapshot(2))
  watched.get(idOf(1))?.(failed(404))
  watched.get(idOf(2))?.(failed(503))
  expect(told()).toEqual([
    [idOf(1), null],
    [idOf(2), 'OPEN'],
  ])
})

test('a case that is assigned or taken away is followed, or left, within five seconds', async () => {
  own = assigned(2, 3)
  await pass(5_000)
  expect([...watched.keys()]).toEqual([idOf(2), idOf(3)])
})

test('tells that a case is resolved', () => {
  watched.get(idOf(1))?.(snapshot(1))
  watched.get(idOf(1))?.({ type: 'case', case: caseOf(1, 'RESOLVED'), readOnly: true })
  expect(told()).toEqual([
    [idOf(1), 'RESOLVED'],
    [idOf(2), null],
  ])
})

test('who may not work on cases any more is told nothing, and nothing is followed for them', async () => {
  own = 'refused'
  await pass(5_000)
  expect([told(), watched.size]).toEqual(['refused', 0])
})

test('while the store or the scopes cannot be read nothing is told, and what is followed goes on', async () => {
  own = new Error('the store is out')
  await pass(5_000)
  expect([told(), watched.size]).toEqual(['not-known', 2])
  own = 'not-known'
  await pass(5_000)
  expect([told(), watched.size]).toEqual(['not-known', 2])
  own = assigned(1, 2)
  await pass(5_000)
  expect(told()).toHaveLength(2)
})

test('it ends by itself when no page has asked for two minutes', async () => {
  await pass(100_000)
  follower.ask()
  await pass(100_000)
  expect([over, watched.size]).toEqual([false, 2])
  await pass(30_000)
  expect([over, watched.size]).toEqual([true, 0])
})

test('waits for first reads, at most as long as asked', async () => {
  let done = 0
  const wait = (ms: number) => void follower.settled(ms).then(() => (done += 1))
  wait(1_000)
  wait(60_000)
  await pass(999)
  expect(done).toBe(0)
  await pass(1)
  expect(done).toBe(1)
  watched.get(idOf(1))?.(snapshot(1))
  watched.get(idOf(2))?.(failed(503))
  await pass(0)
  expect(done).toBe(2)
})

test('a hidden case stays hidden while the service is away', () => {
  watched.get(idOf(1))?.(snapshot(1))
  watched.get(idOf(1))?.(failed(404))
  watched.get(idOf(1))?.(failed(503))
  const known = follower.ask()
  expect(known.kind === 'known' && known.cases[0]).toMatchObject({ found: null, hidden: true })
})

test('reads again after an assignment during a read', async () => {
  const held = Promise.withResolvers<void>()
  gate = held.promise
  follower.lookAgain()
  own = assigned(3)
  follower.lookAgain()
  held.resolve()
  await pass(0)
  expect([...watched.keys()]).toEqual([idOf(3)])
})

test('reads once a minute, and on, while a page listens', async () => {
  const stop = follower.listen(() => {})
  await pass(5_000)
  const before = looks
  await pass(59_999)
  expect(looks).toBe(before)
  await pass(240_001)
  expect([looks, over]).toEqual([before + 5, false])
  stop()
  await pass(130_000)
  expect(over).toBe(true)
})
