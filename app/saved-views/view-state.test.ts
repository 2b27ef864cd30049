import { expect, test } from 'vitest'
import { readViewState, viewTables } from './view-tables.ts'

const QUEUE = viewTables['dispute-queue']
const ANA = '00000000-0000-4000-8000-000000000011'
const whole = {
  query: { status: 'all', age: 'older', party: ANA, text: 'never came', size: '50', sort: '-age' },
  hidden: ['amount'],
  density: 'compact',
}

test('a state that the table can have is read as it is', () => {
  expect(readViewState(QUEUE, whole)).toEqual({ state: whole, gone: [] })
})

test('a view may set all that the queue has', () => {
  const query = {
    ...{ status: 'all', age: 'older', claim: 'mine', assignee: `sso:${ANA}`, category: ANA, turn: 'us', unread: 'yes' },
    ...{ notice: 'watching', party: ANA, text: 'x', amountFrom: '1', amountTo: '2', size: '50', sort: '-age' },
  }
  expect(readViewState(QUEUE, { ...whole, query })?.state.query).toEqual(query)
})

test('what the table does not have is left out and said, and the rest stays', () => {
  const old = {
    query: { ...whole.query, colour: 'red', age: 'ancient', sort: 'weight', size: '7' },
    hidden: ['amount', 'weight'],
    density: 'normal',
  }
  expect(readViewState(QUEUE, old)).toEqual({
    state: { query: { status: 'all', party: ANA, text: 'never came' }, hidden: ['amount'], density: 'normal' },
    gone: [
      'the filter age “ancient”',
      '7 rows a page',
      'the order by “weight”',
      'the filter colour “red”',
      'the column “weight”',
    ],
  })
})

test.each([
  ['a search in free text', viewTables['issued-cards'], { find: 'Ana Smith' }],
  ['a reference', viewTables['confirmed-deposits'], { reference: 'DEP-1' }],
  ['a merchant', viewTables['merchant-terminals'], { merchant: 'merchant-001' }],
  ['a party that is no id', QUEUE, { party: 'ana@example.com' }],
  ['a card number', QUEUE, { text: 'paid with 4111 1111 1111 1111' }],
  ['a page', QUEUE, { page: '3' }],
  ['a name that every object has', QUEUE, { constructor: 'x' }],
])('%s is nothing that a view holds', (_what, table, query) => {
  const read = readViewState(table, { query, hidden: [], density: 'normal' })
  expect(read?.state.query).toEqual({})
  expect(read?.gone).toHaveLength(1)
})

test.each([
  [null],
  ['text'],
  [{ ...whole, more: 1 }],
  [{ ...whole, density: 'huge' }],
  [{ ...whole, hidden: Array(41).fill('amount') }],
  [{ ...whole, query: { party: 'x'.repeat(101) } }],
  [{ ...whole, query: Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`n${at}`, 'x'])) }],
])('what has not the form of a state, or is beyond the bounds, is none', (given) => {
  expect(readViewState(QUEUE, given)).toBeNull()
})
