import { expect, test } from 'vitest'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { Transaction } from '#lib/contract/transactions.ts'
import type { Result } from '#lib/service/client.ts'
import type { HistoryPage } from '#lib/transactions/transaction-service.ts'
import { type HistoryPart, type ReadHistoryPage, wholeHistory } from './whole-history.ts'

const SIZE = 100

/** An account whose transactions have these references, oldest first; `null` is one that cannot be read. */
class Account {
  readonly references: (string | null)[]
  readonly pagesRead: number[] = []
  /** Called after each page was read. */
  meanwhile: (page: number) => void = () => {}

  constructor(count: number) {
    this.references = Array.from({ length: count }, (_, at) => `r${at}`)
  }

  readonly read: ReadHistoryPage = async ({ page, pageSize }) => {
    this.pagesRead.push(page)
    const newestFirst = [...this.references].reverse()
    const rows = newestFirst
      .slice((page - 1) * pageSize, page * pageSize)
      .map((referenceId) =>
        referenceId === null
          ? { readable: false as const }
          : { readable: true as const, value: { referenceId } as Transaction },
      )
    const total = this.references.length
    this.meanwhile(page)
    return { ok: true, value: { rows, total }, serviceTime: null }
  }
}

const referencesOf = (part: HistoryPart): readonly (string | number)[] =>
  part.ok ? part.rows.map((row) => (row.readable ? row.value.referenceId : row.place)) : []

test('every transaction comes once, newest first, and no page is read that is not there', async () => {
  const account = new Account(250)
  const parts = await Array.fromAsync(wholeHistory(account.read, 1000))
  expect(parts.flatMap(referencesOf)).toEqual([...account.references].reverse())
  expect(account.pagesRead).toEqual([1, 2, 3])
  expect(parts.every((part) => part.ok && !part.more)).toBe(true)
})

test('an account without transactions is one empty part', async () => {
  expect(await Array.fromAsync(wholeHistory(new Account(0).read, 1000))).toEqual([
    { ok: true, rows: [], total: 0, more: false },
  ])
})

test('transactions that arrive meanwhile shift the pages; none comes twice and none is left out', async () => {
  const account = new Account(300)
  account.meanwhile = (page) => {
    for (let at = 0; at < 30; at += 1) account.references.push(`new${page}.${at}`)
  }
  const all = (await Array.fromAsync(wholeHistory(account.read, 1000))).flatMap(referencesOf)
  expect(new Set(all).size).toBe(all.length)
  expect(all.filter((reference) => String(reference).startsWith('r'))).toEqual(
    Array.from({ length: 300 }, (_, at) => `r${299 - at}`),
  )
})

test('it ends at the bound and says that there is more; at exactly the bound there is not', async () => {
  const parts = await Array.fromAsync(wholeHistory(new Account(400).read, 150))
  expect(parts.flatMap(referencesOf)).toHaveLength(150)
  expect(parts.map((part) => part.ok && part.more)).toEqual([false, true])
  const exact = await Array.fromAsync(wholeHistory(new Account(200).read, 200))
  expect(exact.flatMap(referencesOf)).toHaveLength(200)
  expect(exact.at(-1)).toMatchObject({ more: false })
  expect((await Array.fromAsync(wholeHistory(new Account(201).read, 200))).at(-1)).toMatchObject({ more: true })
})

test('a row that cannot be read keeps its place, and the others stand', async () => {
  const account = new Account(12)
  account.references[0] = null
  account.references[10] = null
  const all = (await Array.fromAsync(wholeHistory(account.read, 1000))).flatMap(referencesOf)
  expect(all[1]).toBe(2)
  expect(all[11]).toBe(12)
  expect(all).toHaveLength(12)
})

test('a problem on the way is the last that is told', async () => {
  const account = new Account(300)
  const problem = problemOf('unreachable')
  const read: ReadHistoryPage = async (query) => (query.page === 2 ? { ok: false, problem } : account.read(query))
  const parts = await Array.fromAsync(wholeHistory(read, 1000))
  expect(parts).toHaveLength(2)
  expect(parts.at(-1)).toEqual({ ok: false, problem })
})

test('the next page is read when it is asked for, and not before', async () => {
  const account = new Account(1000)
  const parts = wholeHistory(account.read, 1000)
  expect(account.pagesRead).toEqual([])
  await parts.next()
  expect(account.pagesRead).toEqual([1])
  await parts.next()
  await parts.return()
  expect(account.pagesRead).toEqual([1, 2])
})

test('begins with a later page', async () => {
  const account = new Account(250)
  const all = (await Array.fromAsync(wholeHistory(account.read, 1000, 3))).flatMap(referencesOf)
  expect(all).toEqual(Array.from({ length: 50 }, (_, at) => `r${49 - at}`))
  expect(account.pagesRead).toEqual([3])
})

test('pages that do not hold what the first one promised are a problem, not a shorter file', async () => {
  const account = new Account(10_000)
  const first = () => account.read({ page: 1, pageSize: SIZE })
  const same = await Array.fromAsync(wholeHistory(first, 100_000))
  expect(same.flatMap(referencesOf)).toHaveLength(SIZE)
  expect(same.at(-1)).toMatchObject({ ok: false, problem: { kind: 'unreadable' } })
  const endless = async (): Promise<Result<HistoryPage>> => {
    const result = await first()
    return result.ok ? { ...result, value: { ...result.value, total: 1_000_000 } } : result
  }
  expect((await Array.fromAsync(wholeHistory(endless, 100_000))).at(-1)).toMatchObject({ ok: false })
  const empty: ReadHistoryPage = async ({ page, pageSize }) => account.read({ page: page === 1 ? 1 : 1_000, pageSize })
  expect((await Array.fromAsync(wholeHistory(empty, 100_000))).at(-1)).toMatchObject({ ok: false })
})
