import { describe, expect, test } from 'vitest'
import {
  fitsFilter,
  type HistoryFilter,
  readHistoryFilter,
  readHistoryStarts,
  startsText,
  withHistoryFilter,
} from './history-filter.ts'

const ALL: HistoryFilter = { state: '', type: '', from: '', to: '', zone: '' }
const read = (query: string) => readHistoryFilter(new URLSearchParams(query))

test('an address without a filter wants every transaction', () => {
  expect(read('page=3&size=50&state=')).toEqual({ filter: null, faults: [] })
})

test('a filter stands in the address, keeps what else is in it but the page, and goes again', () => {
  const filter = { state: 'A new state', type: 'P2P', from: '2026-11-20', to: '', zone: 'America/Belize' }
  const query = withHistoryFilter(new URLSearchParams('page=4&after=60of161&size=50&view=none&state=QUEUED'), filter)
  expect(['page', 'after', 'size', 'view'].map((name) => query.get(name))).toEqual([null, null, '50', 'none'])
  expect(readHistoryFilter(query)).toEqual({ filter, faults: [] })
  expect(withHistoryFilter(query, null).toString()).toBe('size=50&view=none')
})

test.each(['from=2026-02-30', 'from=0026-11-20', 'to=today', 'from=2026-11-20&to=2026-11-19', 'zone=Mars'])(
  '%s is told',
  (query) => {
    expect(read(query).faults).toHaveLength(1)
  },
)

test.each([
  ['', { after: [], of: 0 }],
  ['60of161', { after: [60], of: 161 }],
  ['60.140of161', { after: [60, 140], of: 161 }],
])('the address “%s” says where a filtered page starts', (text, starts) => {
  expect(readHistoryStarts(new URLSearchParams({ after: text }))).toEqual(starts)
  expect(startsText(starts)).toBe(text)
})

test.each(['60', 'of161', '162of161', '6.of161', '-1of161', '1e3of2000', '1of1234567890'])(
  'refuses the place %s',
  (after) => {
    expect(readHistoryStarts(new URLSearchParams({ after }))).toBeNull()
  },
)

describe('what is shown', () => {
  const row = { state: 'QUEUED', transactionType: 'DEPOSIT', createdAt: '2026-11-21T05:59:59.9999999Z' }
  test.each<[Partial<HistoryFilter>, boolean]>([
    [{}, true],
    [{ state: 'QUEUED' }, true],
    [{ state: 'queued' }, false],
    [{ state: 'PROCESSED' }, false],
    [{ type: 'DEPOSIT', state: 'QUEUED' }, true],
    [{ type: 'P2P', state: 'QUEUED' }, false],
    [{ from: '2026-11-20', to: '2026-11-20' }, false],
    [{ from: '2026-11-20', to: '2026-11-20', zone: 'America/Belize' }, true],
    [{ from: '2026-11-21', zone: 'America/Belize' }, false],
    [{ to: '2026-11-19', zone: 'America/Belize' }, false],
  ])('%j: %s', (filter, shown) => {
    expect(fitsFilter({ ...ALL, ...filter })(row)).toBe(shown)
  })
})
