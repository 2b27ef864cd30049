import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { IndexState, QueueRow } from '#lib/disputes/queue/queue.ts'
import { openCountOf } from '#lib/disputes/queue/words.ts'
import { queueOf } from '#lib/testing/queue-of.ts'
import { DisputesByAge, OpenDisputesNotKnown } from './disputes-by-age.tsx'

vi.mock('next/navigation', () => ({ useRouter: () => ({ refresh: () => {} }) }))

const row = (number: number): QueueRow => ({
  id: `c0000000-0000-4000-8000-00000000000${number}`,
  reference: `reference ${number}`,
  status: 'OPEN',
  createdAt: '2026-07-01T10:00:00.1234567Z',
  resolvedAt: null,
  reason: 'The goods never came.',
  raisedBy: 'ana',
  against: 'ben',
  outcome: null,
  category: null,
  answerBy: null,
  claim: null,
  thread: null,
  notices: [],
})

const rows = [row(1), row(2)]
const failed = { completeAt: null, shortfall: 'problem', problem: problemOf('unreachable') } as const

const words = (page: React.ReactNode): string =>
  renderToStaticMarkup(page)
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

test.each<[string, Partial<IndexState>, string]>([
  ['the service is out', {}, 'The service cannot be reached'],
  ['it moved', { shortfall: 'moved', problem: null }, 'changed twice while it was read'],
  [
    'it is being read',
    { shortfall: null, problem: null, reading: { pages: 120, of: 500 } },
    'Reading the list: 120 of 500 pages.',
  ],
])('a list that was never complete is told as not known, with why, and no number of cases: %s', (_why, change, why) => {
  const index = { ...failed, ...change }
  const text = words(<OpenDisputesNotKnown title="Open disputes" view={queueOf([], { index })} />)
  expect(text).toContain('The number and age of open cases is not known')
  expect(text).toContain(why)
  expect(text).toContain('Try again')
  expect(text).not.toMatch(/\b0\b|No open cases/)
})

test('an older complete list that could not be read again says so, and offers to try', () => {
  const index = { shortfall: 'problem', problem: problemOf('unreachable') } as const
  const text = words(<DisputesByAge title="" facts={{}} view={queueOf(rows, { index })} />)
  expect(text).toContain('2 cases · complete as of')
  expect(text).toContain('Could not be refreshed. The list could not be read fully: The service cannot be reached.')
  expect(text).toContain('Try again')
})

test('cases that cannot be read have no age, and no bar counts them as none', () => {
  const text = words(<DisputesByAge title="" facts={{}} view={queueOf([], { unreadable: 3 })} />)
  expect(text).toContain('3 cases')
  expect(text).toContain('The age of 3 cases is not known')
  expect(text).not.toMatch(/\b0\b/)
})

test('the rail is given a number only where a complete sweep tells one that is not too old', () => {
  const { index } = queueOf(rows)
  const [now, long] = [Date.now(), 301_000].map((ms, at) => new Date(at === 0 ? ms : Date.now() - ms).toISOString())
  const unread = { notKnown: expect.stringContaining('The service cannot be reached') }
  expect(openCountOf({ ...index, completeAt: now ?? null }, 2)).toBe(2)
  expect(openCountOf({ ...index, ...failed }, 2)).toEqual(unread)
  expect(openCountOf({ ...index, ...failed, completeAt: now ?? null }, 2)).toBe(2)
  expect(openCountOf({ ...index, ...failed, completeAt: long ?? null }, 2)).toEqual(unread)
})

test('beside the oldest ten it says how many more there are, and leads to all', () => {
  const ten = Array.from({ length: 10 }, (_, at) => ({
    ...row(1),
    id: `c0000000-0000-4000-8000-0000000000${10 + at}`,
  }))
  expect(words(<DisputesByAge title="" facts={{}} view={queueOf(ten, { listed: 13 })} />)).toContain('3 more')
  expect(words(<DisputesByAge title="" facts={{}} view={queueOf(ten, { listed: 33_334 })} />)).toContain('33,324 more')
  expect(words(<DisputesByAge title="" facts={{}} view={queueOf(ten)} />)).not.toContain('more')
})
