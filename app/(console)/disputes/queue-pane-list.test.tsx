import { renderToStaticMarkup } from 'react-dom/server'
import { beforeEach, expect, test, vi } from 'vitest'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { QueueRow, QueueView } from '#lib/disputes/queue/queue.ts'
import { QueuePaneList } from './queue-pane-list.tsx'

const here = vi.hoisted(() => ({ query: '' }))

vi.mock('next/navigation', () => ({
  useSearchParams: () => new URLSearchParams(here.query),
  useRouter: () => ({ refresh: () => {} }),
}))

const idOf = (number: number): string => `c0000000-0000-4000-8000-00000000000${number}`

const row = (number: number, change: Partial<QueueRow> = {}): QueueRow => ({
  id: idOf(number),
  reference: `reference ${number}`,
  status: 'OPEN',
  createdAt: '2026-07-01T10:00:00.1234567Z',
  resolvedAt: null,
  reason: `Reason ${number}`,
  raisedBy: 'ana',
  against: 'ben',
  outcome: null,
  claim: null,
  ...change,
})

const rows = [row(1), row(2, { claim: { name: 'me', mine: true } }), row(3, { claim: { name: 'bob', mine: false } })]

const whole: QueueView = {
  list: 'OPEN',
  rows,
  completeAt: '2026-07-02T12:04:31.000Z',
  total: 3,
  unreadable: 0,
  adminView: 'proved',
  shortfall: null,
  problem: null,
}

const render = (view: QueueView, current = idOf(2)): string =>
  renderToStaticMarkup(<QueuePaneList initial={view} currentCaseId={current} />)

/** The reasons that are shown, in order. */
const shown = (html: string): readonly string[] => [...html.matchAll(/<bdi>(.*?)<\/bdi>/g)].map(([, text = '']) => text)

beforeEach(() => {
  here.query = ''
})

test('all open cases stand there with how many they are and since when that is known; the open one is marked', () => {
  const html = render(whole, idOf(2).toUpperCase())
  expect(shown(html)).toEqual(['Reason 1', 'Reason 2', 'Reason 3'])
  expect(html).toContain('3 open')
  expect(html).toMatch(/complete <time[^>]*>12:04:31 UTC</)
  expect(html.match(/<a[^>]*aria-current="page"[^>]*>/g)).toEqual([expect.stringContaining(`/disputes/${idOf(2)}`)])
})

test('the choice of whose cases comes with the address and goes along to the next case', () => {
  here.query = 'queue=mine'
  const mine = render(whole)
  expect(shown(mine)).toEqual(['Reason 2'])
  expect(mine).toContain(`href="/disputes/${idOf(2)}?queue=mine"`)
  here.query = 'queue=unassigned'
  expect(shown(render(whole))).toEqual(['Reason 1'])
  here.query = 'queue=mine'
  expect(render({ ...whole, rows: [row(1)] })).toContain('You are the assignee of none of the open cases.')
})

test('what is not whole is shown as far as it came, and says why; it is not counted as all', () => {
  const html = render({ ...whole, completeAt: null, shortfall: 'problem', problem: problemOf('unreachable') })
  expect(shown(html)).toHaveLength(3)
  expect(html).toContain('Not complete: The service cannot be reached.')
  expect(html).not.toContain('3 open')
  const nothing = render({
    ...whole,
    rows: [],
    completeAt: null,
    shortfall: 'problem',
    problem: problemOf('unreachable'),
  })
  expect(nothing).not.toContain('No open cases')
  expect(nothing).toContain('Which cases are open is not known')
  expect(nothing).toContain('The service cannot be reached.')
  expect(nothing).toContain('Try again')
})

test('an empty queue is called empty with proof only', () => {
  expect(render({ ...whole, rows: [], total: 0 })).toContain('No open cases<')
  const unproved = render({ ...whole, rows: [], total: 0, adminView: 'not-proved' })
  expect(unproved).toContain('No open cases visible to you')
  expect(unproved).toContain('Admin view is not proved.')
})

test('text of wallet users cannot turn what stands around it', () => {
  expect(shown(render({ ...whole, rows: [row(1, { reason: 'a\u202eb' })] }))).toEqual(['a[U+202E]b'])
})

test('where the list is not whole, or the assignees are hidden, nothing is counted by assignee and none is denied', () => {
  const counts = (html: string) =>
    [...html.matchAll(/<button[^>]*aria-pressed[^>]*>(.*?)<\/button>/g)].map(([, text]) => text)
  const words = (html: string) => counts(html).map((text = '') => text.replace(/<[^>]+>/g, ''))
  expect(words(render(whole))).toEqual(['Mine1', 'Unassigned1', 'Everyone’s'])
  const part = { ...whole, completeAt: null, shortfall: 'moved' } as const
  const hidden = { ...whole, adminView: 'not-proved', rows: [row(1, { claim: 'hidden' })] } as const
  for (const view of [part, hidden]) expect(words(render(view))).toEqual(['Mine', 'Unassigned', 'Everyone’s'])
  here.query = 'queue=mine'
  expect(render({ ...part, rows: [row(1)] })).not.toContain('You are the assignee of none')
  expect(render(hidden)).toContain('Who the assignees are is not shown to you.')
})

const steps = (html: string): readonly string[] =>
  [...html.matchAll(/<a[^>]*aria-keyshortcuts="(.)"[^>]*>/g)].map(
    ([link, key]) => `${key} ${/href="([^"]*)"/.exec(link)?.[1]}`,
  )

test('the cases before and after the open one are those of the choice that is shown, in its order', () => {
  expect(steps(render(whole))).toEqual([`[ /disputes/${idOf(1)}`, `] /disputes/${idOf(3)}`])
  expect(steps(render(whole, idOf(3)))).toEqual([`[ /disputes/${idOf(2)}`])
  expect(render(whole)).toContain('2 of 3')
  here.query = 'queue=unassigned'
  const more = { ...whole, rows: [...rows, row(4)] }
  expect(steps(render(more, idOf(4)))).toEqual([`[ /disputes/${idOf(1)}?queue=unassigned`])
  // One that is not among them: the first follows.
  expect(steps(render(more, idOf(2)))).toEqual([`] /disputes/${idOf(1)}?queue=unassigned`])
})

test('one’s own that is snoozed is marked, and is not among one’s own', () => {
  const until = '2026-07-09T10:00:00.000Z'
  const snoozed = { ...whole, rows: [row(1), row(2, { claim: { name: 'me', mine: true, snoozed: { until } } })] }
  expect(render(snoozed, idOf(1))).toContain('you, snoozed')
  here.query = 'queue=mine'
  const mine = render(snoozed, idOf(1))
  expect(shown(mine)).toEqual([])
  expect(mine).toContain('Each of your open cases is snoozed.')
})
