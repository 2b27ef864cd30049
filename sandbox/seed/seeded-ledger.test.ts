import { beforeAll, describe, expect, test } from 'vitest'
import { parseJson } from '#lib/contract/json.ts'
import { transactionStates } from '#lib/contract/states.ts'
import { transaction } from '#lib/contract/transactions.ts'
import { ledgerFaults } from '#sandbox/testing/ledger-faults.ts'
import { type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'
import { userIdEndingIn } from './people.ts'
import { HOLDERS, historyOf, type ReadTransaction } from './test-world.ts'

const ANA = userIdEndingIn('011')

let box: TestSandbox
let histories: ReadonlyMap<string, readonly ReadTransaction[]>

beforeAll(async () => {
  box = await testSandbox()
  await box.reset()
  histories = new Map(
    await Promise.all(HOLDERS.map(async ([ending]) => [ending, await historyOf(box, ending)] as const)),
  )
})

const historyOfAna = () => histories.get('011') ?? []
const everything = () => [...histories.values()].flat()
const wasProtected = ({ debit, credit }: ReadTransaction) => debit !== credit
const isSpend = ({ transactionType }: ReadTransaction) => ['P2P', 'PURCHASE'].includes(transactionType)

test('the seeded ledger keeps every guarantee of a ledger', async () => {
  expect(await ledgerFaults(box.sandbox.world.db)).toEqual([])
})

describe('deposits', () => {
  test('at least six wait for a confirmation, at least one of each holder', () => {
    const queued = everything().filter(({ state }) => state === 'QUEUED')
    expect(queued.length).toBeGreaterThanOrEqual(6)
    expect(new Set(queued.map(({ toAccountId }) => toAccountId))).toEqual(
      new Set(HOLDERS.map(([ending]) => userIdEndingIn(ending))),
    )
    expect(queued.every(({ transactionType }) => transactionType === 'DEPOSIT')).toBe(true)
  })

  test.each([
    ['DEP~db4a2789-89b7.20261101', '012', '500.00000000', 'QUEUED'],
    ['DEP~90/ad 7%2B+ü?#.20261101', '014', '12.00000000', 'QUEUED'],
    ['DEP~161cdbb7-19f1.20261101', '014', '75.00000000', 'QUEUED'],
    ['DEP~b983d825-1603.20261101', '012', '0.00000001', 'QUEUED'],
    ['DEP~41f372e4-6d28.20261101', '013', '3000.12500000', 'QUEUED'],
    ['DEP~07a44b1c-c298.20261101', '011', '85.50000000', 'QUEUED'],
    ['DEP~abfd2fdc-a01d.20261101', '011', '250.00000000', 'QUEUED'],
    ['DEP~32d274ad-690b.20261101', '014', '40.00000000', 'PROCESSING'],
    ['DEP~d8a01e30-b7ba.20261101', '013', '1200.00000000', 'PROCESSING'],
    ['DEP~53b4390c-871d.20261101', '011', '5000.00000000', 'PROCESSED'],
    ['DEP~c4bd21b6-f9b8.20261101', '012', '3200.00000000', 'PROCESSED'],
    ['DEP~5d3a9048-a403.20261101', '013', '1800.50000000', 'PROCESSED'],
    ['DEP~49da9620-1cde.20261101', '014', '950.00000000', 'PROCESSED'],
    ['DEP~4aea568b-0d9c.20261101', '011', '250.00125000', 'PROCESSED'],
  ])('%s is where people and tests look for it', async (reference, holder, debit, state) => {
    const path = `/api/v1/Transaction/${encodeURIComponent(reference)}`
    const { body } = await box.call('GET', path, { as: 'operator@example.com' })
    expect(body.data).toMatchObject({ referenceId: reference, toAccountId: userIdEndingIn(holder), debit, state })
  })
})

describe('Ana', () => {
  test('has at least sixty transactions, more than a page of the largest size', () => {
    expect(historyOfAna().length).toBeGreaterThan(100)
  })

  test('has one in every state and of every type', () => {
    expect(new Set(historyOfAna().map(({ state }) => state))).toEqual(new Set(transactionStates))
    expect(new Set(historyOfAna().map(({ transactionType }) => transactionType))).toEqual(
      new Set(['DEPOSIT', 'P2P', 'PURCHASE', 'WITHDRAWAL', 'REVERSAL']),
    )
  })

  test('has paid and was paid, instantly and protected, in shops and among people', () => {
    for (const type of ['P2P', 'PURCHASE']) {
      const settled = historyOfAna().filter((row) => row.transactionType === type && row.state === 'PROCESSED')
      expect(settled.filter(wasProtected).length).toBeGreaterThan(2)
      expect(settled.filter((row) => !wasProtected(row)).length).toBeGreaterThan(2)
    }
    const transfers = historyOfAna().filter(({ transactionType }) => transactionType === 'P2P')
    expect(transfers.filter(({ toAccountId }) => toAccountId === ANA).length).toBeGreaterThan(5)
    expect(transfers.filter(({ fromAccountId }) => fromAccountId === ANA).length).toBeGreaterThan(5)
  })
})

test('every transaction is as the contract has it, and its state and its other fields agree', () => {
  for (const row of everything()) {
    expect(transaction.safeParse(parseJson(JSON.stringify(row))).success).toBe(true)
    expect(row.settledAt !== null, row.referenceId).toBe(row.state === 'PROCESSED' || row.state === 'FAIL')
    expect(row.failReason !== '', row.referenceId).toBe(row.state === 'FAIL')
    const onChain = !['QUEUED', 'PENDING'].includes(row.state) && !row.failReason?.includes('fee')
    expect(/^0x[0-9a-f]{64}$/.test(row.chainReferenceId ?? ''), row.referenceId).toBe(onChain)
  }
})

test('what people pay is told in many words', () => {
  const notes = new Set(everything().map(({ note }) => note))
  expect(notes.size).toBeGreaterThan(80)
})

test('a protected payment has the rows that the service itself writes', async () => {
  const { body } = await box.call('POST', '/api/v1/Transaction/p2p', {
    as: 'ana@example.com',
    body: { recipientId: userIdEndingIn('012'), amount: 5, useEscrow: true },
  })
  const fresh = await shapeOf(String(body.data?.referenceId))
  const seeded = everything().find((row) => isSpend(row) && row.state === 'PROCESSING')
  expect(await shapeOf(String(seeded?.referenceId))).toEqual(fresh)
})

/** A transaction's rows with what each moves, without names, amounts and times. */
async function shapeOf(referenceId: string) {
  const { db } = box.sandbox.world
  const rows = await db
    .selectFrom('ledger_row')
    .selectAll()
    .where('reference_id', '=', referenceId)
    .orderBy('version')
    .execute()
  return await Promise.all(
    rows.map(async ({ row_id, state, version, debit, credit, chain_reference_id }) => ({
      state,
      version,
      fee: debit !== credit,
      onChain: chain_reference_id !== '',
      entries: await db
        .selectFrom('ledger_entry')
        .select(['bucket', 'may_go_below_zero'])
        .where('row_id', '=', row_id)
        .orderBy('bucket')
        .execute(),
    })),
  )
}
