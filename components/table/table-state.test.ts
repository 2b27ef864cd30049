import { expect, test } from 'vitest'
import { changedQuery, lastPage, queryOf, readTableState, type TableState } from './table-state.ts'

const columns = { sortable: ['age', 'amount'], filterable: ['state'] }
const usual: TableState = { page: 1, size: 20, sort: null, filters: {} }
const read = (query: string) => readTableState(new URLSearchParams(query), columns)

test.each([
  ['', {}],
  ['page=7&size=50', { page: 7, size: 50 }],
  ['page=999999999&size=100', { page: 999_999_999, size: 100 }],
  ['sort=age', { sort: { column: 'age', descending: false } }],
  ['sort=-amount', { sort: { column: 'amount', descending: true } }],
  ['state=OPEN', { filters: { state: 'OPEN' } }],
  ['state=', {}],
  ['other=1', {}],
])('the query %j says what is to be shown', (query, change) => {
  expect(read(query)).toEqual({ state: { ...usual, ...change }, faults: [] })
})

test.each([
  ['page=0', 'Page “0”'],
  ['page=-1', 'Page “-1”'],
  ['page=abc', 'Page “abc”'],
  ['page=1.5', 'Page “1.5”'],
  ['page=1e3', 'Page “1e3”'],
  ['page=', 'Page “”'],
  ['page=9999999999', 'Page “9999999999”'],
  ['size=101', '“101” rows a page'],
  ['size=30', '“30” rows a page'],
  ['size=abc', '“abc” rows a page'],
  ['size=020', '“020” rows a page'],
  ['sort=note', 'sorted by “note”'],
  ['sort=-', 'sorted by “-”'],
])('the query %j cannot be had: it falls back to what is usual and says so', (query, words) => {
  const { state, faults } = read(query)
  expect(state).toEqual(usual)
  expect(faults).toHaveLength(1)
  expect(faults[0]).toContain(words)
})

test('what an address says is shown as text, and not for ever', () => {
  const [fault] = read(`page=${encodeURIComponent(`\u202E${'x'.repeat(5000)}`)}`).faults
  expect(fault).toContain('“[U+202E]xxx')
  expect(fault?.length).toBeLessThan(150)
})

test('a table whose pages come from the service is neither sorted nor filtered by its address', () => {
  expect(readTableState(new URLSearchParams('sort=age&state=OPEN'))).toEqual({ state: usual, faults: [] })
})

test('a change leaves the rest of the query as it is, and leaves out what is usual', () => {
  const change = (query: string, wanted: Partial<TableState>) =>
    changedQuery(new URLSearchParams(query), read(query).state, wanted).toString()
  expect(change('tab=a&page=3', { page: 4 })).toBe('tab=a&page=4')
  expect(change('page=3&tab=a', { page: 1 })).toBe('tab=a')
  expect(change('size=50&x=%C3%BC+1', { size: 20 })).toBe('x=%C3%BC+1')
  expect(change('sort=age', { sort: null })).toBe('')
  expect(change('state=OPEN&y=1', { filters: {} })).toBe('y=1')
  expect(change('page=0', { page: 2 })).toBe('page=2')
})

test('another size keeps the first row in sight', () => {
  const at = (page: number, from: 20 | 50 | 100, to: 20 | 50 | 100) =>
    changedQuery(new URLSearchParams(), { ...usual, page, size: from }, { size: to }).get('page')
  expect(at(6, 20, 50)).toBe('3')
  expect(at(3, 50, 20)).toBe('6')
  expect(at(2, 50, 100)).toBeNull()
})

test('another order, and another filter, start at the first page', () => {
  const state = { ...usual, page: 5 }
  const query = new URLSearchParams('page=5')
  expect(changedQuery(query, state, { sort: { column: 'age', descending: true } }).toString()).toBe('sort=-age')
  expect(changedQuery(query, state, { filters: { state: 'OPEN' } }).toString()).toBe('state=OPEN')
})

test('of a name that comes twice in an address, the first counts', () => {
  expect(queryOf({ page: ['2', '3'], size: undefined, x: 'y' }).toString()).toBe('page=2&x=y')
})

test('the last page', () => {
  expect([0, 1, 20, 21, 1204].map((total) => lastPage(total, 20))).toEqual([1, 1, 1, 2, 61])
})
