import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { problemOf } from '#lib/contract/problem-of.ts'
import { everyOpenCase, noQueueChanges, type QueueChanges, type QueueView } from '#lib/disputes/queue/queue.ts'
import { queueOf } from '#lib/testing/queue-of.ts'
import { QueueStrip } from './queue-strip.tsx'

vi.mock('next/navigation', () => ({ useRouter: () => ({ refresh: () => {} }) }))

const failed = { shortfall: 'problem', problem: problemOf('unreachable') } as const

function words(view: QueueView, latest = view, changes: QueueChanges = noQueueChanges): string {
  const [show, readAgain] = [() => {}, async () => {}]
  const queue = {
    ...{ view, latest, changes, show, readAgain },
    marks: new Map(),
    facts: {},
    problem: null,
    pending: false,
  }
  return renderToStaticMarkup(<QueueStrip queue={queue} />)
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
}

test('a list that was read to its end says when, of how many cases, and who sees it', () => {
  const text = words(queueOf([], { listed: 50_000, total: 12 }))
  expect(text).toContain('Complete as of')
  expect(text).toContain(', 50,000 cases')
  expect(text).toContain('Admin view: everyone’s cases')
  expect(text).not.toContain('Try again')
})

test('a list that was never read to its end is not called complete, and says how far it is', () => {
  const first = { completeAt: null, reading: { pages: 1, of: 500 } }
  const text = words(
    queueOf([], { index: first }),
    queueOf([], { index: { ...first, reading: { pages: 123, of: 500 } } }),
  )
  expect(text).toContain('Still loading. Reading the list: 123 of 500 pages.')
  expect(text).not.toContain('Complete as of')
  const out = words(queueOf([], { index: { ...failed, completeAt: null } }))
  expect(out).toContain('Still loading. The list could not be read fully: The service cannot be reached.')
  expect(out).toContain('Try again')
})

test('a list that could not be read again stays, with its time, the trouble and the way to try', () => {
  const text = words(queueOf([]), queueOf([], { index: failed }))
  expect(text).toContain('Complete as of')
  expect(text).toContain('Could not be refreshed. The list could not be read fully:')
  expect(text).toContain('Try again')
  expect(words(queueOf([]), queueOf([], { adminView: 'not-proved' }))).toContain('Admin view is no longer confirmed.')
})

test('what is new, changed and gone is counted on a control that puts it in place', () => {
  const of = (changes: Partial<QueueChanges>) => words(queueOf([]), queueOf([]), { ...noQueueChanges, ...changes })
  expect(of({ added: 1_200, changed: ['a'], gone: ['b', 'c'], moved: true })).toContain(
    '1,200 new, 1 changed, 2 gone: show',
  )
  expect(of({ moved: true })).toContain('Rows moved: show')
  expect(of({})).not.toContain('show')
})

test('cases that cannot be read are told, whatever the filters are', () => {
  expect(words(queueOf([], { unreadable: 2 }))).toContain('2 cases cannot be read. Filters do not hide them.')
})

test('says whose messages were not read while a turn is chosen', () => {
  const view = queueOf([], { filter: { ...everyOpenCase, turn: 'us' } })
  const counts = { ...view.counts, turns: { us: 1, party: 0, unknown: 3 } }
  const said = 'The messages of 3 cases have not been read here. See turn “Not known”.'
  expect(words({ ...view, counts })).toContain(said)
  expect(words(queueOf([], { counts }))).not.toContain('have not been read')
})

test('says how many amounts a filter does not know', () => {
  expect(words(queueOf([], { amountsUnread: 37 }))).toContain(
    'The amount of 37 cases is not known: not read yet, or not visible to you.',
  )
  expect(words(queueOf([], { amountsUnread: 'hidden' }))).toContain('core:transactions:read')
  expect(words(queueOf([]))).not.toContain('amount')
})
