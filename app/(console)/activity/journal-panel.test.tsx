import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { JournalCheck } from '#lib/activity/journal-check.ts'
import { CheckResult } from './journal-panel.tsx'

const check: JournalCheck = {
  at: '2026-11-20T10:00:00.000Z',
  byName: 'admin@example.com',
  events: 12_418,
  end: 'ab12',
  faults: [],
}
const textOf = (latest: JournalCheck | null): string =>
  renderToStaticMarkup(<CheckResult check={latest} />).replace(/<[^>]+>/g, ' ')

test('before a check nothing is said to be whole', () => {
  expect(textOf(null)).toContain('Not checked yet')
  expect(textOf(null)).not.toContain('whole')
})

test('a whole journal: how many events, and by whom it was checked', () => {
  expect(textOf(check)).toContain('12,418 events intact')
  expect(textOf(check)).toContain('by admin@example.com')
})

test('one that is not: each thing that is wrong, and what to do', () => {
  const text = textOf({ ...check, faults: [{ sequence: 1_204, what: 'was changed after it was written' }] })
  expect(text).toContain('Not intact')
  expect(text).toContain('Event 1,204 was changed after it was written')
  expect(text).toContain('Contact your administrator')
  expect(text).not.toContain('nothing was altered')
})
