import { beforeAll, describe, expect, test } from 'vitest'
import { operationResult } from '#lib/contract/transactions.ts'
import { ledgerFaults } from '#sandbox/testing/ledger-faults.ts'
import { type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'
import { ANA, ARBITRATOR, BEN, CLEO, disputeCalls, REASON, refusal, total } from './test-disputes.ts'

let box: TestSandbox
let call: ReturnType<typeof disputeCalls>

beforeAll(async () => {
  box = await testSandbox()
  call = disputeCalls(box)
  await box.reset()
})

const wallets = async () => [await call.balances(ANA), await call.balances(BEN)]
const caseOf = async (id: string) => (await call.read(id)).body.data

describe('resolving by the transaction', () => {
  test('for the recipient moves the money, and leaves the case as it is', async () => {
    const { id, referenceId } = await call.opened()
    const before = await caseOf(id)
    const { status, body } = await call.resolveByTransaction(referenceId)
    expect(status).toBe(200)
    expect(body.data).toEqual({ referenceId, state: 'PROCESSED', message: expect.any(String), accepted: false })
    expect(operationResult.safeParse(body.data).success).toBe(true)
    expect((await call.transaction(referenceId))?.state).toBe('PROCESSED')
    expect(await caseOf(id)).toEqual(before)
    expect(await ledgerFaults(box.sandbox.world.db)).toEqual([])
  })

  test('for the sender appends a reversing transaction', async () => {
    const ana = await call.balances(ANA)
    const { id, referenceId } = await call.opened()
    const before = await caseOf(id)
    const { body } = await call.resolveByTransaction(referenceId, { releaseToRecipient: false })
    const reversal = await call.transaction(String(body.data?.reversalReferenceId))
    expect(reversal).toMatchObject({ transactionType: 'REVERSAL', state: 'PROCESSED', toAccountId: ANA, note: REASON })
    expect(await call.balances(ANA)).toEqual(ana)
    expect(await caseOf(id)).toEqual(before)
    expect(await ledgerFaults(box.sandbox.world.db)).toEqual([])
  })

  test('decides what is disputed without a case as well', async () => {
    const referenceId = await call.protect()
    await box.call('POST', '/sandbox/transactions', { body: { referenceId, move: 'dispute' } })
    expect((await call.transaction(referenceId))?.state).toBe('DISPUTED')
    expect((await call.resolveByTransaction(referenceId)).status).toBe(200)
    expect((await call.transaction(referenceId))?.state).toBe('PROCESSED')
    expect(await ledgerFaults(box.sandbox.world.db)).toEqual([])
  })

  test('afterwards the thread goes on until the case endpoint closes it, and no money moves then', async () => {
    for (const releaseToRecipient of [true, false]) {
      const { id, referenceId } = await call.opened()
      const first = await call.resolveByTransaction(referenceId, { releaseToRecipient })
      expect((await call.post(id, 'Is it over?')).status).toBe(200)
      const before = await wallets()
      const rows = await countRows()
      const { status, body } = await call.resolve(id, { releaseToRecipient })
      expect(status).toBe(200)
      expect(body.data).toMatchObject({
        status: 'RESOLVED',
        resolutionOutcome: releaseToRecipient ? 'RELEASED' : 'REFUNDED',
      })
      expect(body.data?.reversalReferenceId).toBe(first.body.data?.reversalReferenceId)
      expect(await wallets()).toEqual(before)
      expect(await countRows()).toBe(rows)
      expect(total(await call.messages(id))).toBe(3)
    }
  })

  test('the case can then only be closed as what happened: 409 for the opposite', async () => {
    for (const releaseToRecipient of [true, false]) {
      const { id, referenceId } = await call.opened()
      await call.resolveByTransaction(referenceId, { releaseToRecipient })
      const before = [await wallets(), await caseOf(id)]
      const answer = await call.resolve(id, { releaseToRecipient: !releaseToRecipient })
      expect(refusal(answer)).toEqual([409, 'core::disputes::settled'])
      expect([await wallets(), await caseOf(id)]).toEqual(before)
    }
  })
})

const countRows = async () => {
  const row = await box.sandbox.world.db
    .selectFrom('ledger_row')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

describe('refused, and nothing changes', () => {
  test('409 for a transaction that is not DISPUTED, also the second time', async () => {
    const held = await call.protect()
    const { referenceId } = await call.opened()
    await call.resolveByTransaction(referenceId)
    const before = await wallets()
    for (const reference of [held, referenceId]) {
      for (const releaseToRecipient of [true, false]) {
        const answer = await call.resolveByTransaction(reference, { releaseToRecipient })
        expect(refusal(answer)).toEqual([409, 'core::kineto::dispute::resolve::fail'])
      }
    }
    expect(await wallets()).toEqual(before)
  })

  test('409 when the case endpoint was first', async () => {
    const { id, referenceId } = await call.opened()
    await call.resolve(id)
    expect((await call.resolveByTransaction(referenceId)).status).toBe(409)
  })

  test.each([['unknown'], [''], ['\0']])('404 for a reference that no transaction has: %j', async (referenceId) => {
    expect(refusal(await call.resolveByTransaction(referenceId))).toEqual([404, 'core::kineto::not_found'])
  })

  test('401, 403 without the scope, 403 step-up, 409 for a party', async () => {
    const { referenceId } = await call.opened()
    const path = '/api/v1/Transaction/dispute/resolve'
    expect((await box.call('POST', path, { body: {} })).status).toBe(401)
    for (const as of ['ana@example.com', 'operator@example.com', 'viewer@example.com']) {
      const { status, body } = await call.resolveByTransaction(referenceId, {}, { as })
      expect([status, String(body.title)]).toEqual([403, expect.stringContaining('core:disputes:resolve')])
    }
    const as = 'arbitrator@example.com'
    expect(refusal(await call.resolveByTransaction(referenceId, {}, { as }))[1]).toBe('core::gatekeeper::required')
    await box.give('HOLDER,DISPUTE_ADMIN', ANA, BEN, CLEO)
    const bought = String((await call.raise(await call.buy())).body.referenceId)
    for (const [party, reference] of [
      ['ana@example.com', referenceId],
      ['ben@example.com', referenceId],
      ['cleo@example.com', bought],
    ] as const) {
      const answer = await call.resolveByTransaction(reference, {}, { as: party })
      expect(refusal(answer)).toEqual([409, 'core::disputes::party'])
    }
    await box.give('HOLDER', ANA, BEN, CLEO)
    expect((await call.transaction(referenceId))?.state).toBe('DISPUTED')
    const granted = await call.granted(ARBITRATOR)
    expect((await call.resolveByTransaction(referenceId, {}, { as, ...granted })).status).toBe(200)
  })

  test.each([
    ['resolutionReason', 'blank', { resolutionReason: ' ' }],
    ['resolutionReason', 'too long', { resolutionReason: 'x'.repeat(2001) }],
    ['releaseToRecipient', 'a number', { releaseToRecipient: 1 }],
    ['referenceId', 'a number', { referenceId: 7 }],
    ['caseId', 'no field', { caseId: 'x' }],
  ])('400 names the field: %s, %s', async (field, _what, change) => {
    const { referenceId } = await call.opened()
    const { status, body } = await call.resolveByTransaction(referenceId, change)
    expect([status, Object.keys(body.errors ?? {})]).toEqual([400, [field]])
    expect((await call.transaction(referenceId))?.state).toBe('DISPUTED')
  })
})

test('both endpoints at once, fifty times, both ways: the money moves once', async () => {
  const { id, referenceId } = await call.opened()
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => {
      const way = { releaseToRecipient: n % 4 < 2 }
      return n % 2 ? call.resolve(id, way) : call.resolveByTransaction(referenceId, way)
    }),
  )
  expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
  const settled = await box.sandbox.world.db
    .selectFrom('ledger_row')
    .select(['state'])
    .where((row) => row.or([row('reference_id', '=', referenceId), row('reversal_of', '=', referenceId)]))
    .where('state', '=', 'PROCESSED')
    .execute()
  const { data } = (await call.read(id)).body
  expect(data?.status).toBe('RESOLVED')
  expect(settled).toHaveLength(data?.resolutionOutcome === ('REFUNDED' as never) ? 2 : 1)
  expect(await ledgerFaults(box.sandbox.world.db)).toEqual([])
})
