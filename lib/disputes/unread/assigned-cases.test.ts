import { describe, expect, test } from 'vitest'
import {
  type Announcements,
  type AssignedCase,
  type AssignedCases,
  byTurn,
  findNewMessages,
  unreadIn,
} from './assigned-cases.ts'
import type { ThreadState } from './thread-state.ts'

const thread = (change: Partial<ThreadState> = {}): ThreadState => ({
  turn: 'us',
  unread: 0,
  newest: null,
  lastAt: null,
  lastBy: null,
  ...change,
})
const own = (id: string, state: ThreadState | null): AssignedCase => ({
  id,
  reason: 'Why.',
  thread: state,
  openSince: null,
})
const unread = (id: string, newest: string, count = 1): AssignedCase => own(id, thread({ unread: count, newest }))

const noMore = { assigned: 0, watched: 0 }

/** The messages that are announced at each of several checks. */
function announced(...checks: readonly (readonly AssignedCase[] | AssignedCases)[]): readonly (readonly string[])[] {
  let before: Announcements | null = null
  return checks.map((check) => {
    const next = findNewMessages(before, 'cases' in check ? check : { cases: check, more: noMore, snoozed: 0 })
    before = next.announcements
    return next.messages.map(({ caseId, key, isWatched }) => `${caseId} ${key}${isWatched ? ' watched' : ''}`)
  })
}

test('all unread messages are counted together; a thread that is not known counts for nothing', () => {
  expect(unreadIn({ cases: [unread('a', '1', 2), own('b', null), unread('c', '1')], more: noMore, snoozed: 0 })).toBe(3)
  expect(unreadIn(null)).toBe(0)
})

test('orders cases: unread, not known, our turn, longest wait first', () => {
  const cases = [
    own('a', thread({ turn: 'sender', lastAt: '2026-07-01T08:00:00Z' })),
    own('b', thread({ lastAt: '2026-07-01T10:00:00Z' })),
    own('c', thread({ lastAt: '2026-07-01T09:00:00Z' })),
    own('d', null),
    own('e', thread({ turn: 'sender', unread: 1, lastAt: '2026-07-01T11:00:00Z' })),
  ]
  expect(cases.toSorted(byTurn).map(({ id }) => id)).toEqual(['e', 'd', 'c', 'b', 'a'])
})

test('a message that is unread at two looks is told once', () => {
  const before = [unread('a', '1')]
  const after = [unread('a', '2', 2)]
  expect(announced(before, before, after, after, after)).toEqual([[], [], [], ['a 2'], []])
})

test('a message in a watched case is announced as such', () => {
  const notice = { assigned: false, mention: null, watch: { resolved: false, assignee: null, notes: 0 } }
  const watched = (newest: string) => [{ ...unread('a', newest), notice }]
  const both = [{ ...unread('a', '3'), notice: { ...notice, assigned: true } }]
  expect(announced(watched('1'), watched('2'), watched('2'), both, both)).toEqual([
    [],
    [],
    ['a 2 watched'],
    [],
    ['a 3'],
  ])
})

test('a message that is read by the second look is told to nobody, and the next one is', () => {
  const read = [own('a', thread())]
  const next = [unread('a', '3')]
  expect(announced(read, [unread('a', '2')], read, next, next)).toEqual([[], [], [], [], ['a 3']])
})

test('what was unread when the page came, or when the case was assigned, is no news', () => {
  const first = [unread('a', '1')]
  const assigned = [...first, unread('b', '5')]
  expect(announced(first, first, assigned, assigned, assigned)).toEqual([[], [], [], [], []])
})

test('a thread that cannot be read for a while brings no old news when it can be read again', () => {
  const before = [unread('a', '1')]
  expect(announced(before, [own('a', null)], before, before)).toEqual([[], [], [], []])
})

test('of two messages between looks the case is told once, for the later one', () => {
  const later = [unread('a', '3', 3)]
  expect(announced([unread('a', '1')], [unread('a', '2', 2)], later, later)).toEqual([[], [], [], ['a 3']])
})

describe('a snoozed case', () => {
  const snoozed = (one: AssignedCase): AssignedCases => ({ cases: [], more: noMore, snoozed: 1, snoozedCases: [one] })
  const read = own('a', thread())
  const woken = [unread('a', '2')]

  test('is announced when a message wakes it', () => {
    expect(announced([read], snoozed(read), woken, woken, woken)).toEqual([[], [], [], ['a 2'], []])
  })

  test('is announced if it was snoozed before the page came', () => {
    expect(announced(snoozed(read), woken, woken)).toEqual([[], [], ['a 2']])
  })

  test('brings no old news when its time is over', () => {
    expect(announced(snoozed(unread('a', '2')), woken, woken)).toEqual([[], [], []])
    expect(announced(snoozed(own('a', null)), woken, woken)).toEqual([[], [], []])
  })
})
