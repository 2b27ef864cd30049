import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { CommandView, HomeChanges } from '#lib/commands/command.ts'
import { countHolds, EndingHolds } from './ending-holds.tsx'
import { countNeedingAttention, countWatched } from './home-live.tsx'
import { HomeNumber } from './home-number.tsx'

const textOf = (node: React.ReactNode): string => renderToStaticMarkup(node).replace(/<[^>]+>/g, ' ')

test('a number that is not known says so, and is no zero', () => {
  const notKnown = { value: null, words: 'the list moved' }
  const text = textOf(<HomeNumber title="Open disputes" href="/disputes" counted={notKnown} />)
  expect(text).toContain('Not known')
  expect(text).toContain('the list moved')
  expect(text).not.toContain('0')
  expect(textOf(<HomeNumber title="Open disputes" href="/disputes" counted={{ value: 1204 }} />)).toContain('1,204')
})

test('keeps the link of a number while it is read', () => {
  const html = renderToString(
    <HomeNumber title="Open disputes" href="/disputes" counted={new Promise<never>(() => {})} />,
  )
  expect(html.indexOf('href="/disputes"')).toBeGreaterThan(0)
  expect(html.indexOf('<!--$')).toBeGreaterThan(html.indexOf('href="/disputes"'))
  expect(html).toContain('Reading')
  const known = { value: 7, words: 'as last seen' }
  const until = renderToString(
    <HomeNumber title="Holds" href="/deposits" counted={new Promise<never>(() => {})} until={known} />,
  )
  expect(until).toContain('7')
  expect(until).toContain('as last seen')
})

test('holds of more deposits than were read are not counted, and are listed all the same', () => {
  const hold = {
    reference: 'DEP~1',
    amount: '500.00000000',
    endsAt: '2026-11-20T10:00:00.000Z',
    latest: false,
    readNow: true,
  }
  expect(countHolds({ holds: [hold], count: null, everyone: true }).value).toBeNull()
  const list = textOf(<EndingHolds holds={{ holds: [hold], count: null, everyone: true }} />)
  expect(list).toContain('500.00')
  expect(list).toContain('More')
  expect(textOf(<EndingHolds holds={{ holds: [hold], count: 12, everyone: true }} />)).toContain('11 more')
})

test('what a person may not see is counted all the same', () => {
  const seen = ['unknown', 'accepted', 'accepted'].map((of) => ({ outcome: { class: of } }) as CommandView)
  const open: HomeChanges = {
    ...{
      late: seen.slice(0, 1),
      seen,
      unhandled: seen.slice(0, 1),
      lately: { changes: [], count: 0 },
      limits: [],
      approvals: { toDecide: [], own: [], notApproved: [] },
    },
    ...{
      unseen: { unknown: 2, accepted: 3, unhandled: 100 },
      more: { unknown: 10, accepted: 20, unhandled: 1_000, late: false },
    },
  }
  expect([countNeedingAttention(open), countWatched(open)]).toEqual([1_115, 25])
})
