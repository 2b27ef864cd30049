import { expect, test } from 'vitest'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { Transaction } from '#lib/contract/transactions.ts'
import type { Result } from '#lib/service/answer.ts'
import type { HistoryPage } from '#lib/transactions/transaction-service.ts'
import { type HistoryPart, wholeHistory } from './history-export.ts'

const SIZE = 10

/** An account whose transactions have these references, oldest first; `null` is one that cannot be read. */
class Account {
  readonly references: (string | null)[]
  readonly asked: number[] = []
  /** Called after each page was read. */
  meanwhile: (page: number) => void = () => {}

  constructor(count: number) {
    this.references = Array.from({ length: count }, (_, at) => `r${at}`)
  }

  readonly read = async (page: number): Promise<Result<HistoryPage>> => {
    this.asked.push(page)
    const newestFirst = [...this.references].reverse()
    const rows = newestFirst
      .slice((page - 1) * SIZE, page * SIZE)
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
  part.ok ? part.rows.map((row) => ('transaction' in row ? row.transaction.referenceId : row.unreadablePlace)) : []

test('every transaction comes once, newest first, and no page is read that is not there', async () => {
  const account = new Account(25)
  const parts = await Array.fromAsync(wholeHistory(account.read, 1000))
  expect(parts.flatMap(referencesOf)).toEqual([...account.references].reverse())
  expect(account.asked).toEqual([1, 2, 3])
  expect(parts.every((part) => part.ok && !part.more)).toBe(true)
})

test('an account without transactions is one empty part', async () => {
  expect(await Array.fromAsync(wholeHistory(new Account(0).read, 1000))).toEqual([
    { ok: true, rows: [], total: 0, more: false },
  ])
})

test('transactions that arrive meanwhile shift the pages; none comes twice and none is left out', async () => {
  const account = new Account(30)
  account.meanwhile = (page) => {
    for (let at = 0; at < 3; at += 1) account.references.push(`new${page}.${at}`)
  }
  const all = (await Array.fromAsync(wholeHistory(account.read, 1000))).flatMap(referencesOf)
  expect(new Set(all).size).toBe(all.length)
  expect(all.filter((reference) => String(reference).startsWith('r'))).toEqual(
    Array.from({ length: 30 }, (_, at) => `r${29 - at}`),
  )
})

test('it ends at the bound and says that there is more; at exactly the bound there is not', async () => {
  const parts = await Array.fromAsync(wholeHistory(new Account(40).read, 15))
  expect(parts.flatMap(referencesOf)).toHaveLength(15)
  expect(parts.map((part) => part.ok && part.more)).toEqual([false, true])
  const exact = await Array.fromAsync(wholeHistory(new Account(20).read, 20))
  expect(exact.flatMap(referencesOf)).toHaveLength(20)
  expect(exact.at(-1)).toMatchObject({ more: false })
  expect((await Array.fromAsync(wholeHistory(new Account(21).read, 20))).at(-1)).toMatchObject({ more: true })
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
  const account = new Account(30)
  const problem = problemOf('unreachable')
  const read = async (page: number) => (page === 2 ? { ok: false as const, problem } : account.read(page))
  const parts = await Array.fromAsync(wholeHistory(read, 1000))
  expect(parts).toHaveLength(2)
  expect(parts.at(-1)).toEqual({ ok: false, problem })
})

test('the next page is read when it is asked for, and not before', async () => {
  const account = new Account(100)
  const parts = wholeHistory(account.read, 1000)
  expect(account.asked).toEqual([])
  await parts.next()
  expect(account.asked).toEqual([1])
  await parts.next()
  await parts.return()
  expect(account.asked).toEqual([1, 2])
})

test('pages that do not hold what the first one promised are a problem, not a shorter file', async () => {
  const account = new Account(1000)
  const same = await Array.fromAsync(wholeHistory(() => account.read(1), 100_000))
  expect(same.flatMap(referencesOf)).toHaveLength(SIZE)
  expect(same.at(-1)).toMatchObject({ ok: false, problem: { kind: 'unreadable' } })
  const endless = async (): Promise<Result<HistoryPage>> => {
    const result = await account.read(1)
    return result.ok ? { ...result, value: { ...result.value, total: 1_000_000 } } : result
  }
  expect((await Array.fromAsync(wholeHistory(endless, 100_000))).at(-1)).toMatchObject({ ok: false })
  const empty = async (page: number) => account.read(page === 1 ? 1 : 1_000)
  expect((await Array.fromAsync(wholeHistory(empty, 100_000))).at(-1)).toMatchObject({ ok: false })
})
