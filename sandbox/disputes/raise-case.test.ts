import { beforeAll, describe, expect, test } from 'vitest'
import { ledgerFaults } from '#sandbox/testing/ledger-faults.ts'
import { type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'
import { plusSeconds } from '#sandbox/world/clock.ts'
import { openCase } from './raise-case.ts'
import { ANA, BEN, CLEO, DARIO, disputeCalls, listed, REASON, refusal } from './test-disputes.ts'

const HOUR = 3600

let box: TestSandbox
let call: ReturnType<typeof disputeCalls>

beforeAll(async () => {
  box = await testSandbox()
  call = disputeCalls(box)
  await box.reset()
})

const stateOf = async (referenceId: string) => (await call.transaction(referenceId))?.state
const move = (referenceId: string, name: string) =>
  box.call('POST', '/sandbox/transactions', { body: { referenceId, move: name } })

describe('raising a dispute', () => {
  test('answers the case: open, between the two people of the transaction', async () => {
    const referenceId = await call.protect()
    const { status, body } = await call.raise(referenceId)
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      referenceId,
      raisedByUserId: ANA,
      counterpartyUserId: BEN,
      status: 'OPEN',
      reason: REASON,
      resolutionOutcome: null,
      resolutionReason: null,
      resolvedByUserId: null,
      createdAt: expect.stringMatching(/\.\d{7}Z$/),
      resolvedAt: null,
    })
  })

  test('holds the money: it is not released when the window closes', async () => {
    const referenceId = await call.protect()
    const before = await call.balances(BEN)
    await call.raise(referenceId)
    expect(await stateOf(referenceId)).toBe('DISPUTED')
    await box.advance(80 * HOUR)
    expect(await stateOf(referenceId)).toBe('DISPUTED')
    expect(await call.balances(BEN)).toEqual(before)
    expect(await ledgerFaults(box.sandbox.world.db)).toEqual([])
  })

  test('begins the thread with a message of the service', async () => {
    const { id } = await call.opened()
    const messages = listed(await call.messages(id), 'messages')
    expect(messages).toMatchObject([{ disputeCaseId: id, senderUserId: null, isSystemMessage: true }])
    expect(messages[0]?.body).toContain('sender')
  })

  test('the recipient can raise it as well; then the sender is the counterparty', async () => {
    const { body } = await call.raise(await call.protect(), BEN)
    expect(body).toMatchObject({ raisedByUserId: BEN, counterpartyUserId: ANA })
  })

  test.each([
    [ANA, CLEO],
    [CLEO, ANA],
  ])('in a purchase the merchant’s owner stands for the merchant: %s against %s', async (by, against) => {
    const { body } = await call.raise(await call.buy(), by)
    expect(body).toMatchObject({ raisedByUserId: by, counterpartyUserId: against })
  })
})

describe('a dispute is refused', () => {
  test.each([['unknown'], [''], ['\0']])('404 for a reference that no transaction has: %j', async (referenceId) => {
    expect((await call.raise(referenceId)).status).toBe(404)
  })

  test('400 by somebody who is no party, and without a reason; nothing changes', async () => {
    const referenceId = await call.protect()
    expect((await call.raise(referenceId, DARIO)).body.errors).toHaveProperty('raisedByUserId')
    expect((await call.raise(referenceId, 'nobody')).body.errors).toHaveProperty('raisedByUserId')
    for (const reason of ['', ' \n ', 'x'.repeat(2001), 'a\0b', 'half \ud83d']) {
      expect((await call.raise(referenceId, ANA, reason)).body.errors, JSON.stringify(reason)).toHaveProperty('reason')
    }
    expect((await box.call('POST', '/sandbox/disputes', { body: { referenceId } })).status).toBe(400)
    expect(await stateOf(referenceId)).toBe('PROCESSING')
  })

  test('400 by an owner who bought in their own shop: there is nobody to dispute with', async () => {
    expect((await call.raise(await call.buy('cleo@example.com'), CLEO)).status).toBe(400)
  })

  test('409 unless it is PROCESSING: instant, blocked, disputed already', async () => {
    const instant = await box.call('POST', '/api/v1/Transaction/p2p', {
      as: 'ana@example.com',
      body: { recipientId: BEN, amount: 1 },
    })
    const blocked = await call.protect()
    await move(blocked, 'block')
    const { referenceId: disputed } = await call.opened()
    for (const referenceId of [String(instant.body.data?.referenceId), blocked, disputed]) {
      expect(refusal(await call.raise(referenceId))).toEqual([409, 'sandbox::transaction::state'])
    }
  })

  test('409 for a deposit in its hold: only transfers and purchases can be disputed', async () => {
    const deposit = await box.call('POST', '/api/v1/Transaction/deposit', {
      as: 'ana@example.com',
      body: { amount: 10 },
    })
    const referenceId = String(deposit.body.data?.referenceId)
    await box.call('POST', '/api/v1/Transaction/deposit/confirm', {
      as: 'operator@example.com',
      body: { referenceId, bankReference: 'B-1' },
    })
    expect((await call.raise(referenceId)).status).toBe(409)
  })

  test('after the window, also where the worker has not come yet', async () => {
    const { world } = box.sandbox
    const request = { referenceId: await call.protect(), raisedByUserId: ANA, reason: REASON }
    const raisedIn = (seconds: number) =>
      world.db.transaction().execute((trx) => openCase(trx, request, () => plusSeconds(world.clock.now(), seconds)))
    await expect(raisedIn(72 * HOUR)).rejects.toThrow('window')
    expect((await raisedIn(72 * HOUR - 60)).status).toBe('OPEN')
  })
})

test('fifty disputes of one transaction at once: one case', async () => {
  const referenceId = await call.protect()
  const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => call.raise(referenceId, n % 2 ? ANA : BEN)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(49)
  expect(await ledgerFaults(box.sandbox.world.db)).toEqual([])
})
