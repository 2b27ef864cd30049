import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { CommandView, HomeChanges } from '#lib/commands/command.ts'
import { EndingHolds, HoldsNumber } from './ending-holds.tsx'
import { HomeNumber } from './home-number.tsx'
import { countAttention, countWatched } from './open-changes.tsx'

const textOf = (node: React.ReactNode): string => renderToStaticMarkup(node).replace(/<[^>]+>/g, ' ')

test('a number that is not known says so, and is no zero', () => {
  const text = textOf(
    <HomeNumber title="Open disputes" href="/disputes" value={null}>
      the list moved
    </HomeNumber>,
  )
  expect(text).toContain('Not known')
  expect(text).toContain('the list moved')
  expect(text).not.toContain('0')
  expect(textOf(<HomeNumber title="Open disputes" href="/disputes" value={1204} />)).toContain('1,204')
})

test('holds of more deposits than were read are not counted, and are listed all the same', () => {
  const hold = {
    reference: 'DEP~1',
    amount: '500.00000000',
    endsAt: '2026-11-20T10:00:00.000Z',
    latest: false,
    readNow: true,
  }
  expect(textOf(<HoldsNumber holds={{ holds: [hold], count: null, everyone: true }} />)).toContain('Not known')
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
      lately: { changes: [], count: 0 },
      limits: [],
      approvals: { toDecide: [], own: [], notApproved: [] },
    },
    ...{ unseen: { unknown: 2, accepted: 3 }, more: { unknown: 10, accepted: 20, late: false } },
  }
  expect([countAttention(open), countWatched(open)]).toEqual([14, 25])
})
