import { expect } from 'vitest'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { runCommand } from '#lib/testing/command-run.ts'
import { importedAndRead, MAPPING, pageOf, statusesOf } from '#lib/testing/test-statement.ts'
import { serviceTest as test } from '#lib/testing/test-worlds.ts'
import { editLine } from './edit-line.ts'
import { readPackedFile } from './file/read-file.ts'
import { importStatement } from './import.ts'
import { eraseOldDebits } from './kept-debits.ts'
import { findEarlierReturns } from './returned-before.ts'
import { discardStatement, restoreStatement } from './statement-list.ts'

const DATED = { ...MAPPING, bookedOn: 4 }

type Row = readonly [day: string, reference: string, amount: string, bank?: string]

const dated = (...rows: readonly Row[]) => {
  const lines = rows.map(([day, reference, amount, bank = '']) => `${reference},${amount},${bank},,2026-07-${day}`)
  return Buffer.from(['Ref,Amount,Bank ref,Text,Day', ...lines].join('\n'))
}

const PAID: Row = ['06', 'RENT-1', '10.00']
const BACK: Row = ['07', 'RENT-1', '-10.00']
const returnFile = (name: string, ...returns: readonly Row[]) => dated(['07', name, '5.00'], ...returns)

const summaryOf = async (operator: Session, bytes: Buffer) => {
  const file = { name: 'Late.csv', bytes, mapping: DATED, seal: null, reason: '', replaces: null }
  const read = await importStatement(operator, file, readPackedFile)
  if (read.kind !== 'preview') throw new Error(read.kind)
  const [remarks, warnings] = [read.preview.summary.remarks, read.preview.summary.warnings]
  return { remarks: remarks.map(({ what }) => what), warnings: warnings.map(({ what }) => what) }
}

const LINE_1 = 'The payment on line 1 of this file went back (line 3 of July.csv)'

test('a payment imported after its return is set aside', async ({ operator }) => {
  await importedAndRead(operator, returnFile('other', BACK), DATED)
  const late = dated(PAID)
  expect(await summaryOf(operator, late)).toEqual({ remarks: [`${LINE_1}. The line will be set aside.`], warnings: [] })
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

test('a confirmed payment imported after its return is a warning', async ({ service, operator }) => {
  const reference = await service.announceDeposit('10')
  const [bankReference, at] = ['B-1', { referenceId: reference, statementAmount: '10' }]
  await runCommand(operator, 'deposit.confirm', { ...at, bankReference })
  await importedAndRead(operator, returnFile('other', ['07', reference, '-10.00', bankReference]), DATED)
  expect(await summaryOf(operator, dated(['06', reference, '10.00', bankReference]))).toEqual({
    remarks: [],
    warnings: [`${LINE_1}, but its deposit was confirmed or may have been. Check the deposit.`],
  })
  // The bank reference alone tells it, too.
  const other = dated(['06', '', '10.00', bankReference])
  expect((await summaryOf(operator, other)).warnings).toHaveLength(1)
})

test.for([
  [['BLOCKED', 'QUEUED'], 0],
  [['PENDING', 'QUEUED'], 1],
  [['QUEUED', 'BLOCKED'], 1],
  [['PROCESSING', 'QUEUED'], 1],
] as const)('a payment of a deposit seen %s has %i warnings', async ([states, count], { operator }) => {
  const db = await store()
  for (const state of states) {
    await db.insertInto('state_seen').values({ reference: 'DEP-5', state, first_seen_at: '2026-01-01' }).execute()
  }
  await importedAndRead(operator, returnFile('other', ['07', 'DEP-5', '-10.00', 'B-5']), DATED)
  expect((await summaryOf(operator, dated(['06', 'DEP-5', '10.00', 'B-5']))).warnings).toHaveLength(count)
})

const EARLIER: Row = ['05', 'RENT-1', '10.00']

test.for(['before', 'between', 'after'])(
  'a return within a file that another lists takes back one: %s',
  async (when, { operator }) => {
    const imported = (bytes: Buffer) => importedAndRead(operator, bytes, DATED)
    const first = when === 'before' ? await imported(dated(EARLIER)) : null
    if (when === 'between') await imported(returnFile('other', BACK))
    await imported(dated(PAID, BACK))
    if (when !== 'between') await imported(returnFile('other', BACK))
    expect(await statusesOf(first ?? (await imported(dated(EARLIER))))).toEqual(['unknown'])
  },
)

test('returns of two days take back two payments', async ({ operator }) => {
  const later = ['09', 'RENT-1', '-10.00'] as const
  await importedAndRead(operator, returnFile('one', BACK), DATED)
  await importedAndRead(operator, returnFile('two', later), DATED)
  const id = await importedAndRead(operator, dated(PAID, ['08', 'RENT-1', '10.00']), DATED)
  expect(await statusesOf(id)).toEqual(['set-aside', 'set-aside'])
  const first = await importedAndRead(operator, dated(['06', 'RENT-2', '10.00'], ['08', 'RENT-2', '10.00']), DATED)
  await importedAndRead(operator, returnFile('three', ['07', 'RENT-2', '-10.00']), DATED)
  await importedAndRead(operator, returnFile('four', ['09', 'RENT-2', '-10.00']), DATED)
  expect(await statusesOf(first)).toEqual(['set-aside', 'set-aside'])
})

test('a payment imported again is set aside by another list', async ({ operator }) => {
  const file = dated(PAID, ['06', 'X', '7.00'])
  const first = await importedAndRead(operator, file, DATED)
  const one = await importedAndRead(operator, returnFile('one', BACK), DATED)
  await discardStatement(operator, one)
  await discardStatement(operator, first)
  await importedAndRead(operator, returnFile('two', BACK), DATED)
  expect(await statusesOf(await importedAndRead(operator, file, DATED))).toEqual(['set-aside', 'unknown'])
})

test('one return sets one payment aside in a new import', async ({ operator }) => {
  const file = dated(PAID, PAID)
  const first = await importedAndRead(operator, file, DATED)
  await editLine(operator, first, 1, { act: 'set-aside', reason: 'Handled by hand.' })
  await importedAndRead(operator, returnFile('other', BACK), DATED)
  expect(await statusesOf(first)).toEqual(['set-aside', 'set-aside'])
  await discardStatement(operator, first)
  expect((await summaryOf(operator, file)).remarks).toEqual([])
  expect(await statusesOf(await importedAndRead(operator, file, DATED))).toEqual(['unknown', 'set-aside'])
})

test('a payment that a person put back stays when it is restored', async ({ operator }) => {
  await importedAndRead(operator, returnFile('other', BACK), DATED)
  const id = await importedAndRead(operator, dated(PAID), DATED)
  await editLine(operator, id, 1, { act: 'put-back', reason: 'The bank erred.' })
  await discardStatement(operator, id)
  await restoreStatement(operator, id)
  expect(await statusesOf(id)).toEqual(['unknown'])
})

/** Maps its columns again. */
async function mappedAgain(operator: Session, bytes: Buffer, replaces: string) {
  const file = { name: 'July.csv', bytes, mapping: { ...DATED, text: null }, reason: '', replaces }
  const read = await importStatement(operator, { ...file, seal: null }, readPackedFile)
  if (read.kind !== 'preview') throw new Error(read.kind)
  const done = await importStatement(operator, { ...file, seal: read.preview.seal }, readPackedFile)
  expect(done).toMatchObject({ kind: 'imported', already: false })
  return read.preview.summary.remarks.map(({ what }) => what)
}

const SET_ASIDE = 'The payment on line 1 of July.csv went back (line 4). The line will be set aside.'

test.for(['before', 'after'])('a file with its return, mapped again %s the payment', async (when, { operator }) => {
  const both = returnFile('both', PAID, BACK)
  const early = when === 'after' ? await importedAndRead(operator, dated(PAID), DATED) : null
  const second = await importedAndRead(operator, both, DATED)
  const first = early ?? (await importedAndRead(operator, dated(PAID), DATED))
  const remarks = await mappedAgain(operator, both, second)
  expect(remarks.includes(SET_ASIDE)).toBe(when === 'after')
  expect(await statusesOf(first)).toEqual(['set-aside'])
})

test('a return counts even if its statement is named as replaced', async ({ operator }) => {
  const other = await importedAndRead(operator, returnFile('other', BACK), DATED)
  expect(await mappedAgain(operator, dated(PAID), other)).toEqual([`${LINE_1}. The line will be set aside.`])
})

test('a payment counts once both its file and the return are gone', async ({ operator }) => {
  const first = await importedAndRead(operator, dated(PAID), DATED)
  const other = await importedAndRead(operator, returnFile('other', BACK), DATED)
  await discardStatement(operator, first)
  await discardStatement(operator, other)
  await restoreStatement(operator, first)
  expect(await statusesOf(first)).toEqual(['unknown'])
})

test('a restored return warns of no discarded payment', async ({ operator }) => {
  const first = await importedAndRead(operator, dated(PAID), DATED)
  const other = await importedAndRead(operator, returnFile('other', BACK), DATED)
  await discardStatement(operator, other)
  await discardStatement(operator, first)
  expect(await restoreStatement(operator, other)).toEqual([])
})

test('a return outlives its list in the file of its payment', async ({ operator }) => {
  const first = await importedAndRead(operator, dated(PAID), DATED)
  const other = await importedAndRead(operator, returnFile('other', BACK), DATED)
  await importedAndRead(operator, returnFile('both', PAID, BACK), DATED)
  await discardStatement(operator, other)
  expect(await statusesOf(first)).toEqual(['set-aside'])
})

test('a repeat released by a discard meets a listed return', async ({ operator }) => {
  const both = await importedAndRead(operator, returnFile('both', PAID, BACK), DATED)
  const repeat = await importedAndRead(operator, dated(PAID), DATED)
  await importedAndRead(operator, returnFile('other', BACK), DATED)
  await discardStatement(operator, both)
  expect(await statusesOf(repeat)).toEqual(['set-aside'])
})

test('a payment opened by a discard meets a return of another day', async ({ operator }) => {
  const paid = await importedAndRead(operator, dated(PAID), DATED)
  const first = await importedAndRead(operator, returnFile('first', BACK), DATED)
  await importedAndRead(operator, returnFile('second', ['08', 'RENT-1', '-10.00']), DATED)
  expect(await discardStatement(operator, first)).toBeNull()
  expect(await statusesOf(paid)).toEqual(['set-aside'])
})

test('a return that a person undid takes back no other payment', async ({ operator }) => {
  const own = await importedAndRead(operator, dated(['01', 'other', '5.00'], PAID, BACK), DATED)
  expect(await editLine(operator, own, 2, { act: 'put-back', reason: 'The bank undid it.' })).toBeNull()
  expect(await statusesOf(await importedAndRead(operator, dated(['05', 'RENT-1', '10.00']), DATED))).toEqual([
    'unknown',
  ])
})

test('an edited payment restored keeps the return of its repeat', async ({ operator }) => {
  const first = await importedAndRead(operator, dated(PAID), DATED)
  await editLine(operator, first, 1, { act: 'reference', reference: 'RENT-1x' })
  await discardStatement(operator, first)
  const repeat = await importedAndRead(operator, returnFile('repeat', PAID), DATED)
  await importedAndRead(operator, returnFile('other', BACK), DATED)
  await restoreStatement(operator, first)
  expect([await statusesOf(first), await statusesOf(repeat)]).toEqual([['set-aside'], ['unknown', 'set-aside']])
})

test('a restored return takes back a payment imported meanwhile', async ({ operator }) => {
  const other = await importedAndRead(operator, returnFile('other', BACK), DATED)
  await discardStatement(operator, other)
  const first = await importedAndRead(operator, dated(PAID), DATED)
  await restoreStatement(operator, other)
  expect(await statusesOf(first)).toEqual(['set-aside'])
})

test('a second return takes back the payment that is no repeat', async ({ operator }) => {
  const cash = (day: string, amount: string): Row => [day, 'RENT-1', amount, 'B-1']
  await importedAndRead(operator, returnFile('both', cash('06', '10.00'), cash('07', '-10.00')), DATED)
  await importedAndRead(operator, returnFile('twice', cash('07', '-10.00'), cash('07', '-10.00')), DATED)
  const id = await importedAndRead(operator, dated(cash('06', '10.00'), cash('06', '10.00')), DATED)
  expect(await statusesOf(id)).toEqual(['set-aside', 'set-aside'])
})

test.for(['payment', 'return'])(
  'restoring a %s warns if its deposit was confirmed',
  async (what, { service, operator }) => {
    const reference = await service.announceDeposit('10')
    const paid: Row = ['06', reference, '10.00', 'B-1']
    const back: Row = ['07', reference, '-10.00', 'B-1']
    const first = await importedAndRead(operator, dated(paid), DATED)
    if (what === 'payment') await discardStatement(operator, first)
    const other = await importedAndRead(operator, returnFile('other', back), DATED)
    if (what === 'return') await discardStatement(operator, other)
    const deposit = { referenceId: reference, bankReference: 'B-1', statementAmount: '10' }
    await runCommand(operator, 'deposit.confirm', deposit)
    const warning =
      'The payment on line 1 of July.csv went back, but its deposit was confirmed or may have been. Check the deposit.'
    const restored = what === 'payment' ? first : other
    expect(await restoreStatement(operator, restored)).toEqual([warning])
    const recorded = (await store()).selectFrom('command').select('outcome').where('kind', '=', 'statement.restore')
    expect((await recorded.executeTakeFirst())?.outcome).toContain(warning)
  },
)

test('others have their turn while debits are compared', async ({ operator }) => {
  const returns = Array.from({ length: 200 }, (_, n): Row => ['07', `OUT-${n}`, '-10.00'])
  await importedAndRead(operator, returnFile('other', ...returns), DATED)
  let [turns, compared] = [0, false]
  const turn = () => {
    turns += 1
    if (!compared) setImmediate(turn)
  }
  setImmediate(turn)
  const payment = { account: '', currency: '', amount: '10.00', reference: 'RENT-1', bankReference: '' }
  await findEarlierReturns(await store(), [{ ...payment, bookedOn: '2026-07-06' }], { except: null })
  compared = true
  expect(turns).toBeGreaterThanOrEqual(200)
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
