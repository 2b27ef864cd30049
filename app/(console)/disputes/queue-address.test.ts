import { expect, test } from 'vitest'
import { readTableState } from '#components/table/table-state.ts'
import { everyOpenCase } from '#lib/disputes/queue/queue.ts'
import { addressableOf, queueQuery, readQueueAddress, validTableState } from './queue-address.ts'

test('filters by a party whose pasted id has invisible characters', () => {
  const party = '00000000-0000-4000-8000-000000000011'
  const query = new URLSearchParams({ party: `\u200E${party.slice(0, 9)}\u00AD${party.slice(9)}\u200B` })
  expect(readQueueAddress(query).filter.party).toBe(party)
})

test('reads turn, unread, assignee and order from the address', () => {
  const query = new URLSearchParams('turn=party&unread=yes&assignee=sso%3Amia&sort=-last')
  expect(readQueueAddress(query).filter).toMatchObject({
    ...{ turn: 'party', unread: true, assignee: 'sso:mia' },
    sort: { column: 'last', descending: true },
  })
  expect(new URLSearchParams(queueQuery(query))).toEqual(query)
})

test('reads amounts from the address', () => {
  const query = new URLSearchParams('amountFrom=100&amountTo=1000.5&sort=-amount')
  expect(readQueueAddress(query).filter).toMatchObject({ amountFrom: '100', amountTo: '1000.5' })
  expect(readQueueAddress(query).filter.sort).toEqual({ column: 'amount', descending: true })
})

test.each(['amountFrom=1,000', 'amountTo=-5', 'turn=ours', 'unread=no', 'assignee=mia@example.com'])(
  'reports %s in the address and applies nothing',
  (text) => {
    const query = new URLSearchParams(text)
    const { faults } = validTableState(query, readTableState(query, addressableOf('OPEN')))
    expect(faults).toEqual([
      expect.stringMatching(/^Unknown (turn|unread|assignee|amountFrom|amountTo) in the address/),
    ])
    expect(readQueueAddress(query).filter).toEqual(everyOpenCase)
  },
)

test('sorts resolved cases by no last message', () => {
  expect(readQueueAddress(new URLSearchParams('status=resolved&sort=last')).filter.sort).toBeNull()
})
