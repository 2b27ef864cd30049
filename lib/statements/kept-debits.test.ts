import { expect } from 'vitest'
import { store } from '#lib/store/store.ts'
import { importedAndRead, MAPPING, pageOf, statusesOf } from '#lib/testing/test-statement.ts'
import { serviceTest as test } from '#lib/testing/test-worlds.ts'
import { readPackedFile } from './file/read-file.ts'
import { importStatement } from './import.ts'
import { eraseOldDebits } from './kept-debits.ts'
import { discardStatement, restoreStatement } from './statement-list.ts'

const DATED = { ...MAPPING, bookedOn: 4 }

type Row = readonly [day: string, reference: string, amount: string]

const dated = (...rows: readonly Row[]) =>
  Buffer.from(
    [
      'Ref,Amount,Bank ref,Text,Day',
      ...rows.map(([day, reference, amount]) => `${reference},${amount},,,2026-07-${day}`),
    ].join('\n'),
  )

const PAID: Row = ['06', 'RENT-1', '10.00']
const BACK: Row = ['07', 'RENT-1', '-10.00']
const returnFile = (name: string, ...returns: readonly Row[]) => dated(['07', name, '5.00'], ...returns)

test('a payment imported after its return is set aside', async ({ operator }) => {
  await importedAndRead(operator, returnFile('other', BACK), DATED)
  const late = dated(PAID)
  const file = { name: 'Late.csv', bytes: late, mapping: DATED, seal: null, reason: '', replaces: null }
  const read = await importStatement(operator, file, readPackedFile)
  expect(read).toMatchObject({
    preview: {
      summary: {
        remarks: [
          { what: 'The payment on line 1 of this file went back (line 3 of July.csv). The line will be set aside.' },
        ],
      },
    },
  })
  const id = await importedAndRead(operator, late, DATED)
  expect((await pageOf(id)).lines[0]).toMatchObject({
    status: 'set-aside',
    setAside: { by: null, reason: 'The money went back: paid out again in a statement that was imported before.' },
  })
})

test.for([
  ['later than the return', ['08', 'RENT-1', '10.00']],
  ['of another amount', ['06', 'RENT-1', '11.00']],
  ['of another reference', ['06', 'RENT-10', '10.00']],
] as const)('a payment %s stays open', async ([, paid], { operator }) => {
  await importedAndRead(operator, returnFile('other', BACK), DATED)
  expect(await statusesOf(await importedAndRead(operator, dated(paid), DATED))).toEqual(['unknown'])
})

test('one return in two files takes back one payment', async ({ operator }) => {
  await importedAndRead(operator, returnFile('one', BACK), DATED)
  await importedAndRead(operator, returnFile('two', BACK), DATED)
  const id = await importedAndRead(operator, dated(PAID, PAID), DATED)
  expect(await statusesOf(id)).toEqual(['set-aside', 'unknown'])
  expect(await statusesOf(await importedAndRead(operator, dated(['05', 'RENT-1', '10.00']), DATED))).toEqual([
    'unknown',
  ])
})

test('a return that two files list outlives one of them', async ({ operator }) => {
  const first = await importedAndRead(operator, dated(PAID), DATED)
  const one = await importedAndRead(operator, returnFile('one', BACK), DATED)
  const two = await importedAndRead(operator, returnFile('two', BACK), DATED)
  await discardStatement(operator, one)
  expect(await statusesOf(first)).toEqual(['set-aside'])
  await discardStatement(operator, two)
  expect(await statusesOf(first)).toEqual(['unknown'])
})

test('a return discarded puts a payment imported later back', async ({ operator }) => {
  const other = await importedAndRead(operator, returnFile('other', BACK), DATED)
  const id = await importedAndRead(operator, dated(PAID), DATED)
  await discardStatement(operator, other)
  expect(await statusesOf(id)).toEqual(['unknown'])
  await restoreStatement(operator, other)
  expect(await statusesOf(id)).toEqual(['set-aside'])
})

test('a payment restored after its return is set aside', async ({ operator }) => {
  const first = await importedAndRead(operator, dated(PAID), DATED)
  await discardStatement(operator, first)
  await importedAndRead(operator, returnFile('other', BACK), DATED)
  await restoreStatement(operator, first)
  expect(await statusesOf(first)).toEqual(['set-aside'])
})

test('debits are kept for 60 days, or as long as texts', async ({ operator }) => {
  const db = await store()
  const id = await importedAndRead(operator, returnFile('other', BACK), DATED)
  const kept = async (days: number, textKeptDays: number | null) => {
    const taken_at = new Date(Date.now() - days * 24 * 3_600_000).toISOString()
    await db.updateTable('statement').set({ taken_at }).where('id', '=', id).execute()
    await eraseOldDebits(db, textKeptDays)
    return (await db.selectFrom('statement_debit').selectAll().where('statement_id', '=', id).execute()).length
  }
  expect([await kept(59, null), await kept(31, 40), await kept(41, 40)]).toEqual([1, 1, 0])
})
