import { expect } from 'vitest'
import { store } from '#lib/store/store.ts'
import { importedAndRead, statusesOf } from '#lib/testing/test-statement.ts'
import { serviceTest as test } from '#lib/testing/test-worlds.ts'
import { discardStatement, restoreStatement } from './statement-list.ts'

/** The closing balance of one is the opening balance of the next. */
const mt940 = ([from, to]: readonly [number, number], ...entries: readonly string[]): Buffer => {
  const [head, end] = [`:20:X\n:25:100200\n:60F:C261119BZD${from},00`, `:62F:C261120BZD${to},00`]
  return Buffer.from([head, ...entries, end].join('\n'))
}

const credit = (reference: string): string => `:61:2611201120C10,00NTRF${reference}`
const PAID = mt940([0, 30], credit('DEP-1111'), credit('DEP-2222'), credit('DEP-3333'))
const goneBack = (balances: readonly [number, number], reference: string) =>
  mt940(balances, ':61:2611201120D10,00NTRFNONREF', `Return ${reference}`, ':86:Cash')
const [FIRST, SECOND] = [goneBack([30, 20], 'DEP-1111'), goneBack([20, 10], 'DEP-2222')]

test('returns with the same text take back different payments', async ({ operator }) => {
  const paid = await importedAndRead(operator, PAID)
  const first = await importedAndRead(operator, FIRST)
  expect(await statusesOf(paid)).toEqual(['set-aside', 'unknown', 'unknown'])
  await importedAndRead(operator, SECOND)
  expect(await statusesOf(paid)).toEqual(['set-aside', 'set-aside', 'unknown'])
  await discardStatement(operator, first)
  expect(await statusesOf(paid)).toEqual(['unknown', 'set-aside', 'unknown'])
  expect(await restoreStatement(operator, first)).toEqual([])
  expect(await statusesOf(paid)).toEqual(['set-aside', 'set-aside', 'unknown'])
})

test('returns with the same text before their payments are kept', async ({ operator }) => {
  await importedAndRead(operator, FIRST)
  await importedAndRead(operator, SECOND)
  expect(await statusesOf(await importedAndRead(operator, PAID))).toEqual(['set-aside', 'set-aside', 'unknown'])
})

test('payments stored by a shortened text are compared whole', async ({ operator }) => {
  const db = await store()
  const topUp = (from: number, ...name: string[]) => mt940([from, from + 10], credit('NONREF'), ...name, ':86:Cash')
  const short = await importedAndRead(operator, topUp(90))
  const one = await importedAndRead(operator, topUp(100, 'Top-up DEP-1111'))
  const print = db.selectFrom('statement_line').select('fingerprint').where('statement_id', '=', short)
  const { fingerprint } = await print.executeTakeFirstOrThrow()
  const shorten = (id: string) =>
    db.updateTable('statement_line').set({ fingerprint }).where('statement_id', '=', id).execute()
  await shorten(one)
  await discardStatement(operator, short)
  const two = await importedAndRead(operator, topUp(110, 'Top-up DEP-2222'))
  expect(await statusesOf(two)).toEqual(['unknown'])
  await shorten(two)
  await discardStatement(operator, one)
  expect(await restoreStatement(operator, one)).toEqual([])
  expect([await statusesOf(one), await statusesOf(two)]).toEqual([['unknown'], ['unknown']])
  const again = await importedAndRead(operator, topUp(120, 'Top-up DEP-1111'))
  expect(await statusesOf(again)).toEqual(['set-aside'])
})
