import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type ActivityFilter,
  ALL_ACTIVITY,
  activityKinds,
  filterQuery,
  outcomeWords,
  readActivityFilter,
} from './activity-filter.ts'

const read = (query: string) => readActivityFilter(new URLSearchParams(query))

test('an address without a filter asks for every change', () => {
  expect(read('page=3&size=50&person=&kind=')).toEqual({ filter: ALL_ACTIVITY, faults: [] })
})

test('a filter stands in the address and comes back as it was', () => {
  const some = (...texts: readonly string[]) => fc.constantFrom('', ...texts)
  const filters = fc.record({
    person: some('me', 'operator@example.com', 'Anna & Co'),
    kind: some(...activityKinds),
    outcome: some(...Object.keys(outcomeWords)) as fc.Arbitrary<ActivityFilter['outcome']>,
    from: some('2026-11-20', 'today-6'),
    to: some('2099-12-01', '2099-12-02'),
    zone: some('UTC', 'America/Belize'),
    text: some('DEP~1', 'a=b&c', 'ATL 2026 #1'),
  })
  fc.assert(
    fc.property(filters, (filter) => {
      expect(readActivityFilter(filterQuery(filter))).toEqual({ filter, faults: [] })
    }),
  )
})

test('reads Me, as phones write it', () => {
  expect(read('person=Me').filter.person).toBe('me')
  expect(read('person=Mel').filter.person).toBe('Mel')
})

test('searches a reference without its invisible characters, and says so', () => {
  const { filter, faults } = read('text=DEP%E2%80%8B~1%C2%AD')
  expect(filter.text).toBe('DEP~1')
  expect(faults).toEqual(['The reference or id was searched without 2 invisible characters: U+200B, U+00AD.'])
})

test.each([
  ['kind=deposit.mint', 'is not a kind of activity'],
  ['kind=constructor', 'is not a kind of activity'],
  ['outcome=toString', 'is not an outcome'],
  ['from=2026-02-30', 'is not a day'],
  ['to=tomorrow', 'is not a day'],
  ['to=9999-12-31', '“9999-12-31” is not a day of the years 1970 to 9998, so all days are shown'],
  ['from=today&to=yesterday', 'The last day is before the first'],
  ['from=2026-11-20&to=2026-11-19', 'The last day is before the first'],
  ['zone=Mars/Olympus', 'is not a time zone'],
  ['text=%00', 'is not a reference or id'],
  [`text=${'x'.repeat(501)}`, 'is not a reference or id'],
  ['person=%00', 'is not a name'],
])('%s cannot be had, and it is said', (query, words) => {
  const { faults } = read(query)
  expect(faults).toEqual([expect.stringContaining(words)])
  expect(faults.join('')).not.toContain('\0')
})
