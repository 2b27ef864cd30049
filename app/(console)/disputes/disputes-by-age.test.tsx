import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { QueueRow, QueueView } from '#lib/disputes/queue/queue.ts'
import { openCount } from '#lib/disputes/queue/shortfall-words.ts'
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
  claim: null,
  thread: null,
})

const whole: QueueView = {
  list: 'OPEN',
  rows: [row(1), row(2)],
  completeAt: '2026-07-02T12:04:31.000Z',
  total: 2,
  unreadable: 0,
  adminView: 'proved',
  shortfall: null,
  problem: null,
}
const failed: QueueView = {
  ...whole,
  ...{ rows: [], completeAt: null, total: null, adminView: 'not-proved' },
  shortfall: 'problem',
  problem: problemOf('unreachable'),
}

const words = (page: React.ReactNode): string =>
  renderToStaticMarkup(page)
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

test.each<[string, Partial<QueueView>, string]>([
  ['the service is out', {}, 'The service cannot be reached'],
  ['it moved', { shortfall: 'moved', problem: null }, 'moved while it was read'],
  [
    'it is too long',
    { shortfall: 'too-many', problem: null, total: 2_400 },
    '2,400 cases, and this console reads at most 2,000',
  ],
])('a list that is not whole is told as not known, with why, and no number of cases: %s', (_why, change, why) => {
  const text = words(<OpenDisputesNotKnown title="Open disputes" view={{ ...failed, ...change }} />)
  expect(text).toContain('How many cases are open, and how old they are, is not known')
  expect(text).toContain(why)
  expect(text.includes('Try again')).toBe(change.shortfall !== 'too-many')
  expect(text).not.toMatch(/\b0\b|No open cases/)
})

test('an older whole list that could not be read again says so, and offers to try', () => {
  const text = words(
    <DisputesByAge title="" view={{ ...whole, shortfall: 'problem', problem: problemOf('unreachable') }} />,
  )
  expect(text).toContain('2 cases · complete as of')
  expect(text).toContain(
    'It could not be read again. The list could not be read to its end: The service cannot be reached.',
  )
  expect(text).toContain('Try again')
})

test('cases that cannot be read have no age, and no bar counts them as none', () => {
  const text = words(<DisputesByAge title="" view={{ ...whole, rows: [], unreadable: 3 }} />)
  expect(text).toContain('3 cases')
  expect(text).toContain('How old 3 of them are is not known')
  expect(text).not.toMatch(/\b0\b/)
})

test('the rail is given a number only where a whole list of everybody’s cases tells one', () => {
  expect(openCount(whole)).toBe(2)
  expect(openCount({ ...whole, adminView: 'not-proved' })).toBeNull()
  expect(openCount(failed)).toEqual({ notKnown: expect.stringContaining('The service cannot be reached') })
})

test('beside the oldest ten it says how many more there are, and leads to all', () => {
  const rows = Array.from({ length: 12 }, (_, at) => ({
    ...row(1),
    id: `c0000000-0000-4000-8000-0000000000${10 + at}`,
  }))
  const view = { ...whole, rows, unreadable: 1, total: 13 }
  expect(words(<DisputesByAge title="" view={view} />)).toContain('3 more')
  expect(words(<DisputesByAge title="" view={{ ...view, rows: rows.slice(0, 10), unreadable: 0 }} />)).not.toContain(
    'more',
  )
})
