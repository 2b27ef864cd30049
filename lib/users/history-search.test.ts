import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { Transaction } from '#lib/contract/transactions.ts'
import type { HistoryFilter, HistoryStarts } from './history-filter.ts'
import { type HistorySearch, searchHistory } from './history-search.ts'
import type { ReadHistoryPage } from './whole-history.ts'

const QUEUED: HistoryFilter = { state: 'QUEUED', type: '', from: '', to: '', zone: '' }

/** Newest first: every `nth` transaction is queued, the others are processed. */
class Account {
  rows: { reference: string; queued: boolean }[]
  readonly pagesRead: number[] = []
  failing: { page: number; problem: Problem } | null = null
  meanwhile: () => void = () => {}

  constructor(count: number, nth: number) {
    this.rows = Array.from({ length: count }, (_, at) => ({ reference: `r${at + 1}`, queued: (at + 1) % nth === 0 }))
  }

  add(count: number): void {
    const from = this.rows.length
    const fresh = Array.from({ length: count }, (_, at) => ({ reference: `new${from + at}`, queued: true }))
    this.rows = [...fresh, ...this.rows]
  }

  readonly read: ReadHistoryPage = async ({ page, pageSize }) => {
    this.pagesRead.push(page)
    if (page === this.failing?.page) return { ok: false, problem: this.failing.problem }
    const total = this.rows.length
    const rows = this.rows.slice((page - 1) * pageSize, page * pageSize).map(({ reference, queued }) => ({
      readable: true as const,
      value: {
        referenceId: reference,
        state: queued ? 'QUEUED' : 'PROCESSED',
        transactionType: 'DEPOSIT',
        createdAt: '2026-11-20T10:00:00.0000000Z',
      } as Transaction,
    }))
    this.meanwhile()
    return { ok: true, value: { rows, total }, serviceTime: null }
  }

  async search(start: { after: number; of: number } | null = null): Promise<HistorySearch> {
    const result = await searchHistory(this.read, { filter: QUEUED, size: 20, start })
    if (!result.ok) throw new Error(result.problem.kind)
    return result.value
  }
}

const found = ({ rows }: HistorySearch): readonly (string | number)[] =>
  rows.map((row) => (row.readable ? row.value.referenceId : row.place))

const queuedOf = ({ rows }: Account): readonly string[] =>
  rows.filter(({ queued }) => queued).map(({ reference }) => reference)

/** Every page, as the links lead through them. */
async function everyPage(account: Account, between: () => void = () => {}): Promise<readonly HistorySearch[]> {
  const pages: HistorySearch[] = []
  let starts: HistoryStarts = { after: [], of: 0 }
  for (;;) {
    const place = starts.after.at(-1)
    const page = await account.search(place === undefined ? null : { after: place, of: starts.of })
    pages.push(page)
    if (page.last >= page.total) return pages
    starts = { after: [page.last], of: page.total }
    between()
  }
}

test('fills a page from several pages of the service', async () => {
  const account = new Account(400, 10)
  const search = await account.search()
  expect(found(search)).toEqual(queuedOf(account).slice(0, 20))
  expect(search).toMatchObject({ first: 1, last: 200, total: 400, fault: null })
  expect(account.pagesRead).toEqual([1, 2])
})

test('ends at the end of the history', async () => {
  const account = new Account(161, 40)
  const search = await account.search()
  expect(found(search)).toHaveLength(4)
  expect(search).toMatchObject({ first: 1, last: 161, total: 161, fault: null })
  expect(account.pagesRead).toEqual([1, 2])
})

test('reads nothing more of an empty history', async () => {
  expect(await new Account(0, 1).search()).toMatchObject({ rows: [], last: 0, total: 0, fault: null })
})

test('stops at ten pages and continues behind them', async () => {
  const account = new Account(1500, 300)
  const search = await account.search()
  expect(search).toMatchObject({ first: 1, last: 1000, total: 1500, fault: null })
  expect(found(search)).toHaveLength(3)
  expect(account.pagesRead).toHaveLength(10)
  const next = await account.search({ after: 1000, of: 1500 })
  expect(next).toMatchObject({ first: 1001, last: 1500 })
  expect(found(next)).toEqual(['r1200', 'r1500'])
})

test('lists the states and types of all rows searched', async () => {
  expect(await new Account(161, 40).search()).toMatchObject({ states: ['PROCESSED', 'QUEUED'], types: ['DEPOSIT'] })
})

test('never hides a row that cannot be read', async () => {
  const account = new Account(150, 150)
  const read: ReadHistoryPage = async (query) => {
    const page = await account.read(query)
    if (!page.ok || query.page === 1) return page
    return { ...page, value: { ...page.value, rows: page.value.rows.with(2, { readable: false }) } }
  }
  const result = await searchHistory(read, { filter: QUEUED, size: 20, start: null })
  expect(result.ok && found(result.value)).toEqual([103, 'r150'])
})

describe('a page that cannot be read', () => {
  const tooMany = problemOf('service', { status: 429, retryAfterSeconds: 60 })

  test.each([
    ['a service that needs a pause', tooMany],
    ['a service without an answer', problemOf('unreachable')],
  ])('keeps what was found before: %s', async (_what, problem) => {
    const account = new Account(500, 50)
    account.failing = { page: 3, problem }
    const search = await account.search()
    expect(found(search)).toEqual(['r50', 'r100', 'r150', 'r200'])
    expect(search).toMatchObject({ first: 1, last: 200, total: 500, fault: problem })
    expect(account.pagesRead).toEqual([1, 2, 3])
    account.failing = null
    expect(found(await account.search())).toEqual(queuedOf(account))
  })

  test('is the whole answer when it is the first', async () => {
    const account = new Account(500, 50)
    account.failing = { page: 1, problem: tooMany }
    const result = await searchHistory(account.read, { filter: QUEUED, size: 20, start: null })
    expect(result).toEqual({ ok: false, problem: tooMany })
  })

  test('is a fault when rows of the total are missing', async () => {
    const account = new Account(250, 50)
    const read: ReadHistoryPage = async (query) => {
      const page = await account.read(query)
      return page.ok ? { ...page, value: { ...page.value, total: 260 } } : page
    }
    const result = await searchHistory(read, { filter: QUEUED, size: 20, start: null })
    expect(result).toMatchObject({ value: { fault: { kind: 'unreadable' } } })
  })
})

describe('the time for one request', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }))
  afterEach(() => vi.useRealTimers())

  test('ends the search before its last page', async () => {
    const account = new Account(1500, 300)
    account.meanwhile = () => vi.setSystemTime(Date.now() + 4_000)
    expect(await account.search()).toMatchObject({ last: 300, total: 1500, fault: null })
  })
})

describe('from page to page', () => {
  test.each([1, 3, 7, 50, 170])('shows each match once: every %ith row', async (nth) => {
    const account = new Account(457, nth)
    const pages = await everyPage(account)
    expect(pages.flatMap(found)).toEqual(queuedOf(account))
    expect(pages.every(({ rows }) => rows.length <= 20)).toBe(true)
  })

  test.each([1, 30, 130])('skips and repeats nothing when %i rows arrive', async (count) => {
    const account = new Account(457, 3)
    const expected = queuedOf(account)
    const pages = await everyPage(account, () => account.add(count))
    expect(pages.flatMap(found)).toEqual(expected)
  })

  test('skips and repeats nothing when rows arrive while it reads', async () => {
    const account = new Account(657, 11)
    const expected = queuedOf(account)
    let arrivals = 20
    account.meanwhile = () => {
      if (arrivals > 0) account.add(7)
      arrivals -= 1
    }
    expect((await everyPage(account)).flatMap(found)).toEqual(expected)
  })

  test('continues where it was although a thousand rows arrived', async () => {
    const account = new Account(161, 3)
    const expected = queuedOf(account).slice(20, 40)
    account.add(1_130)
    expect(found(await account.search({ after: 60, of: 161 }))).toEqual(expected)
  })

  test('a place beyond the end has no rows left', async () => {
    expect(await new Account(50, 5).search({ after: 50, of: 50 })).toMatchObject({
      rows: [],
      first: 51,
      last: 50,
      fault: null,
    })
  })
})
