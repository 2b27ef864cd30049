import { renderToReadableStream, renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { QueueRow, QueueView } from '#lib/disputes/queue/queue.ts'
import { queueOf } from '#lib/testing/queue-of.ts'
import type { PaneFilter } from './[caseId]/case-navigation.ts'
import { isNearEdge, keepInView, QueuePaneList } from './queue-pane-list.tsx'

const address = vi.hoisted(() => ({ caseId: '' }))
vi.mock('next/navigation', () => ({ useRouter: () => ({ refresh: () => {} }), useParams: () => address }))

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
  category: null,
  answerBy: null,
  claim: null,
  thread: null,
  notices: [],
  ...change,
})

const rows = [row(1), row(2, { claim: { name: 'me', mine: true } }), row(3, { claim: { name: 'bob', mine: false } })]

const whole = queueOf(rows)
const unreachable = { completeAt: null, shortfall: 'problem', problem: problemOf('unreachable') } as const

function paneOf(view: QueueView, current: string, filter: PaneFilter) {
  address.caseId = current
  return <QueuePaneList initial={view} facts={{}} initialFilter={filter} initialCaseId={current} />
}

const render = (view: QueueView, current = idOf(2), filter: PaneFilter = 'all'): string =>
  renderToStaticMarkup(paneOf(view, current, filter))

/** Waits for the words of an empty list. */
async function renderEmpty(view: QueueView, filter: PaneFilter = 'all'): Promise<string> {
  const stream = await renderToReadableStream(paneOf(view, idOf(2), filter))
  await stream.allReady
  return (await new Response(stream).text()).replaceAll('<!-- -->', '')
}

/** The reasons that are shown, in order. */
const shown = (html: string): readonly string[] => [...html.matchAll(/<bdi>(.*?)<\/bdi>/g)].map(([, text = '']) => text)

test('lists all open cases with count and age, marks one', () => {
  const html = render(whole, idOf(2).toUpperCase())
  expect(shown(html)).toEqual(['Reason 1', 'Reason 2', 'Reason 3'])
  expect(html).toContain('3 open')
  expect(html).toMatch(/complete <time[^>]*>12:04:31 UTC</)
  expect(html.match(/<a[^>]*aria-current="page"[^>]*>/g)).toEqual([expect.stringContaining(`/disputes/${idOf(2)}`)])
})

test('a new document has the rows below the screen too', () => {
  const many = Array.from({ length: 51 }, (_, at) => row(at, { id: `c0000000-0000-4000-8000-0000000000${at + 10}` }))
  expect(shown(render(queueOf(many), many[0]?.id))).toHaveLength(51)
})

test('the choice of whose cases goes along to the next case, and says why there are none', async () => {
  const mine = render(queueOf([row(2, { claim: { name: 'me', mine: true } })]), idOf(2), 'mine')
  expect(shown(mine)).toEqual(['Reason 2'])
  expect(mine).toContain(`href="/disputes/${idOf(2)}?queue=mine"`)
  expect(await renderEmpty(queueOf([], { listed: 3 }), 'mine')).toContain('No open cases are assigned to you.')
})

test('shows an incomplete list with the reason', async () => {
  const html = render(queueOf(rows, { index: unreachable }))
  expect(shown(html)).toHaveLength(3)
  expect(html).toContain('Not complete: The list could not be read fully: The service cannot be reached.')
  expect(html).not.toContain('3 open')
  const nothing = await renderEmpty(queueOf([], { index: unreachable }))
  expect(nothing).not.toContain('No open cases')
  expect(nothing).toContain('The list of open cases is not known')
  expect(nothing).toContain('The service cannot be reached.')
  expect(nothing).toContain('Try again')
})

test('an empty queue is called empty with proof only', async () => {
  expect(await renderEmpty(queueOf([]))).toContain('No open cases<')
  const unproved = await renderEmpty(queueOf([], { adminView: 'not-proved' }))
  expect(unproved).toContain('No open cases visible to you')
  expect(unproved).toContain('Admin view is not confirmed.')
})

test('text of wallet users cannot turn what stands around it', () => {
  expect(shown(render(queueOf([row(1, { reason: 'a\u202eb' })])))).toEqual(['a[U+202E]b'])
})

test('counts nothing by assignee when the list is incomplete', async () => {
  const counts = (html: string) =>
    [...html.matchAll(/<button[^>]*aria-pressed[^>]*>(.*?)<\/button>/g)].map(([, text]) => text)
  const words = (html: string) => counts(html).map((text = '') => text.replace(/<[^>]+>/g, ''))
  expect(words(render(whole))).toEqual(['Mine1', 'Unassigned1', 'Everyone’s'])
  const part = queueOf(rows, { index: { completeAt: null, shortfall: 'moved' } })
  const hidden = (of: readonly QueueRow[]) =>
    queueOf(of, { adminView: 'not-proved', listed: 1, counts: { ...whole.counts, claims: null } })
  for (const view of [part, hidden([row(1, { claim: 'hidden' })])]) {
    expect(words(render(view))).toEqual(['Mine', 'Unassigned', 'Everyone’s'])
  }
  const none = queueOf([], { index: { completeAt: null, shortfall: 'moved' } })
  expect(await renderEmpty(none, 'mine')).not.toContain('No open cases are assigned to you')
  expect(await renderEmpty(hidden([]), 'mine')).toContain('You cannot see assignees.')
})

const steps = (html: string): readonly string[] =>
  [...html.matchAll(/<a[^>]*aria-keyshortcuts="(.)"[^>]*>/g)].map(
    ([link, key]) => `${key} ${/href="([^"]*)"/.exec(link)?.[1]}`,
  )

test('the cases before and after the open one are those of the choice that is shown, in its order', () => {
  expect(steps(render(whole))).toEqual([`[ /disputes/${idOf(1)}`, `] /disputes/${idOf(3)}`])
  expect(steps(render(whole, idOf(3)))).toEqual([`[ /disputes/${idOf(2)}`])
  expect(render(whole)).toContain('2 of 3')
  const unassigned = queueOf([row(1), row(4)])
  expect(steps(render(unassigned, idOf(4), 'unassigned'))).toEqual([`[ /disputes/${idOf(1)}?queue=unassigned`])
  // One that is not among them: the first follows.
  expect(steps(render(unassigned, idOf(2), 'unassigned'))).toEqual([`] /disputes/${idOf(1)}?queue=unassigned`])
})

test('shows a long queue’s part around the open case', () => {
  const html = render(queueOf(rows, { firstPlace: 24_999, total: 33_334, listed: 33_334 }))
  expect(html).toContain('25,000 of 33,334')
  expect(html).toContain('33,334 open')
  expect(html).toMatch(/href="\/disputes"[^>]*>33,331 more</)
})

test('shows turn and unread count of a case in words', () => {
  const thread = { turn: 'us', unread: 3, newest: 'key', lastAt: '2026-07-01T11:00:00Z', lastBy: 'raised-by' } as const
  const html = render({ ...whole, rows: [row(1, { thread }), row(2)] })
  expect(html.match(/Waiting for us/g)).toHaveLength(1)
  expect(html.match(/3 unread/g)).toHaveLength(1)
  expect(html).not.toContain('0 unread')
})

test('one’s own that is snoozed is marked, and is not among one’s own', async () => {
  const until = '2026-07-09T10:00:00.000Z'
  const snoozed = queueOf([row(1), row(2, { claim: { name: 'me', mine: true, snoozed: { until } } })])
  expect(render(snoozed, idOf(1))).toContain('you, snoozed')
  expect(await renderEmpty({ ...snoozed, rows: [], total: 0 }, 'mine')).toContain('All your open cases are snoozed.')
})

test('reads other neighbours only near the end of the rows', () => {
  const many = Array.from({ length: 20 }, (_, at) => row(at))
  const nearEdge = (at: number, firstPlace: number, total: number) =>
    isNearEdge(queueOf(many, { firstPlace, total }), many[at]?.id ?? '')
  expect([nearEdge(4, 11, 100), nearEdge(5, 11, 100), nearEdge(14, 11, 100), nearEdge(15, 11, 100)]).toEqual([
    true,
    false,
    false,
    true,
  ])
  expect([nearEdge(0, 1, 20), nearEdge(19, 1, 20)]).toEqual([false, false])
  expect(isNearEdge(queueOf(many), idOf(99))).toBe(true)
})

test.each([
  ['leaves', 'a case in view', 0, 100, 0],
  ['leaves', 'the last case in view', 0, 260, 0],
  ['centres', 'a case below the view', 0, 261, 131],
  ['centres', 'a case above the view', 600, 500, 370],
])('%s %s', (_act, _what, scrollTop, offsetTop, expected) => {
  vi.stubGlobal('CSS', { escape: (text: string) => text })
  const list = { scrollTop, clientHeight: 300, querySelector: () => ({ offsetTop, offsetHeight: 40 }) }
  keepInView(list as unknown as HTMLElement, idOf(1))
  expect(list.scrollTop).toBe(expected)
})
