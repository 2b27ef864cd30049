import { expect, test } from 'vitest'
import { ALL_CONFIRMED, isSearch, readConfirmedSearch, searchWords } from './confirmed-search.ts'

const read = (query: string) => readConfirmedSearch(new URLSearchParams(query))

test('reads a search from the address', () => {
  expect(read('bank= ATL-1 &by=mia&day=2026-11-20&reference=DEP-1')).toEqual({
    search: { bank: 'ATL-1', by: 'mia', day: '2026-11-20' },
    faults: [],
  })
  expect(read('bank=&by=&day=')).toEqual({ search: ALL_CONFIRMED, faults: [] })
  expect(read('by=Me').search.by).toBe('me')
})

test.each([
  ['bank=a%00b', /is not a bank reference, so it was ignored/],
  ['bank=%E2%80%8B', /is not a bank reference/],
  [`bank=${'x'.repeat(141)}`, /is not a bank reference/],
  [`by=${'x'.repeat(201)}`, /is not a name/],
  ['day=20.11.2026', /^“20\.11\.2026” is not a day/],
  ['day=0026-11-20', /^“0026-11-20” is not a day of the years 1970 to 9998/],
])('ignores %s and says so', (query, fault) => {
  const { search, faults } = read(query)
  expect(search).toEqual(ALL_CONFIRMED)
  expect(faults).toEqual([expect.stringMatching(fault)])
})

test('names all parts of a search', () => {
  const search = { bank: 'ATL-1', by: 'me', day: '2026-11-20' }
  expect(searchWords(search, 'America/Belize')).toBe(
    'with a bank reference that starts with “ATL-1”, confirmed by you, on 2026-11-20 (America/Belize)',
  )
  expect(searchWords({ ...ALL_CONFIRMED, by: 'mia' }, 'UTC')).toBe('confirmed by mia')
  expect([isSearch(search), isSearch(ALL_CONFIRMED)]).toEqual([true, false])
})
