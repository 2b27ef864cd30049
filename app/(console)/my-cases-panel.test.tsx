import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { AssignedCase, AssignedCases } from '#lib/disputes/unread/assigned-cases.ts'
import type { ThreadState } from '#lib/disputes/unread/thread-state.ts'
import { MyCasesPanel } from './my-cases-panel.tsx'

const ID = 'c0000000-0000-4000-8000-000000000001'

const thread: ThreadState = {
  turn: 'recipient',
  unread: 2,
  newest: '2026-07-01T10:00:00.0000000 id',
  lastAt: '2026-07-01T10:00:00.0000000Z',
  lastBy: 'sender',
}
const one: AssignedCase = { id: ID, reason: 'The goods never came.', thread }

const htmlOf = (initial: AssignedCases | null): string => renderToStaticMarkup(<MyCasesPanel initial={initial} />)
const words = (initial: AssignedCases | null): string =>
  htmlOf(initial)
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

test('shows each case with subject, turn, unread count and link', () => {
  expect(words({ cases: [one], more: 0, snoozed: 0 })).toMatch(
    /1 case, 2 unread .*The goods never came\. 2 unread .* Waiting for the recipient last message by the sender /,
  )
  expect(htmlOf({ cases: [one], more: 0, snoozed: 0 })).toContain(`href="/disputes/${ID}"`)
})

test('without a case it says why it is empty and what to do', () => {
  expect(words({ cases: [], more: 0, snoozed: 0 })).toContain(
    'No open cases are assigned to you. Open disputes to assign one.',
  )
})

test('what is not known looks neither empty nor read', () => {
  expect(words(null)).toContain('Your cases could not be loaded yet.')
  expect(words(null)).not.toMatch(/No open cases|\b0\b/)
  const unknown = words({ cases: [{ ...one, reason: null, thread: null }], more: 0, snoozed: 0 })
  expect(unknown).toContain('Messages could not be loaded')
  expect(unknown).not.toMatch(/no message|Waiting/)
})

test('a case in which nobody has written yet says so', () => {
  const silent = { ...thread, turn: 'us', unread: 0, newest: null, lastAt: null, lastBy: null } as const
  expect(words({ cases: [{ ...one, thread: silent }], more: 0, snoozed: 0 })).toContain('no messages yet')
})

test('cases beyond those that are followed are counted, and all of them are a click away', () => {
  const html = htmlOf({ cases: [one], more: 7, snoozed: 0 })
  expect(html).toContain('8 cases')
  expect(html).toMatch(/href="\/disputes\?claim=mine"[^>]*>7 more/)
})

test('text of wallet users cannot turn what stands around it', () => {
  expect(htmlOf({ cases: [{ ...one, reason: 'a\u202eb' }], more: 0, snoozed: 0 })).toContain('a[U+202E]b')
})

test('what is snoozed is counted apart, and leads to the list of it', () => {
  const html = htmlOf({ cases: [], more: 0, snoozed: 2 })
  expect(html).toContain('All your open cases are snoozed.')
  expect(html).toMatch(/href="\/disputes\?claim=snoozed"[^>]*>2 snoozed</)
  expect(htmlOf({ cases: [one], more: 0, snoozed: 0 })).not.toContain('snoozed')
})
