import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ledgerFaults } from '#sandbox/testing/ledger-faults.ts'
import { type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'
import {
  ADMIN,
  ANA,
  ARBITRATOR,
  BEN,
  CLEO,
  disputeCalls,
  listed,
  NEWCOMER,
  REASON,
  refusal,
  total,
} from './test-disputes.ts'

let box: TestSandbox
let call: ReturnType<typeof disputeCalls>

beforeAll(async () => {
  box = await testSandbox()
  call = disputeCalls(box)
  await box.reset()
})

const plus = (text: string, units: number) => (Number(text) + units).toFixed(8)

describe('a case is resolved', () => {
  test('for the recipient: the money is theirs, the fee is earned, and nothing is appended', async () => {
    const { id, referenceId } = await call.opened()
    const [ana, ben] = [await call.balances(ANA), await call.balances(BEN)]
    const { status, body } = await call.resolve(id)
    expect(status).toBe(200)
    expect(body.data).toEqual({
      ...(await call.read(id)).body.data,
      messages: undefined,
      id,
      referenceId,
      status: 'RESOLVED',
      resolutionOutcome: 'RELEASED',
      resolutionReason: REASON,
      resolvedByUserId: NEWCOMER,
      resolvedAt: expect.stringMatching(/\.\d{7}Z$/),
    })
    expect(body.data).not.toHaveProperty('reversalReferenceId')
    const transaction = await call.transaction(referenceId)
    expect(transaction).toMatchObject({ state: 'PROCESSED', settledAt: body.data?.resolvedAt })
    expect(await call.balances(ANA)).toEqual(ana)
    expect(await call.balances(BEN)).toEqual([ben[0], plus(ben[1], 20)])
    expect(await ledgerFaults(box.sandbox.world.db)).toEqual([])
  })

  test('for the sender: everything goes back by a reversing transaction, the fee included', async () => {
    const ana = await call.balances(ANA)
    const { id, referenceId } = await call.opened()
    const ben = await call.balances(BEN)
    const { body } = await call.resolve(id, { releaseToRecipient: false })
    expect(body.data).toMatchObject({ status: 'RESOLVED', resolutionOutcome: 'REFUNDED' })
    expect((await call.transaction(referenceId))?.state).toBe('PROCESSED')
    expect(await call.transaction(String(body.data?.reversalReferenceId))).toMatchObject({
      transactionType: 'REVERSAL',
      state: 'PROCESSED',
      fromAccountId: BEN,
      toAccountId: ANA,
      credit: '20.25000000',
      debit: '20.00000000',
      note: REASON,
    })
    expect(await call.balances(ANA)).toEqual(ana)
    expect(await call.balances(BEN)).toEqual([plus(ben[0], -20), ben[1]])
    expect(await ledgerFaults(box.sandbox.world.db)).toEqual([])
  })

  test('the thread ends with a message of the service that says how', async () => {
    const released = (await call.opened()).id
    await call.resolve(released)
    const last = listed(await call.messages(released), 'messages').at(-1)
    expect(last).toMatchObject({
      senderUserId: null,
      isSystemMessage: true,
      body: expect.stringContaining('recipient'),
    })
    const refunded = (await call.opened()).id
    const { body } = await call.resolve(refunded, { releaseToRecipient: false })
    expect(listed(await call.messages(refunded), 'messages').at(-1)?.body).toContain(
      String(body.data?.reversalReferenceId),
    )
  })

  test('the reason is kept exactly as it came', async () => {
    const { id } = await call.opened()
    const resolutionReason = `  ${'x'.repeat(1990)}\n 👍 `
    expect((await call.resolve(id, { resolutionReason })).body.data?.resolutionReason).toBe(resolutionReason)
    expect((await call.read(id)).body.data?.resolutionReason).toBe(resolutionReason)
  })

  test('a purchase, for the buyer and for the shop', async () => {
    for (const releaseToRecipient of [false, true]) {
      const { body } = await call.raise(await call.buy())
      expect((await call.resolve(String(body.id), { releaseToRecipient })).status).toBe(200)
    }
    expect(await ledgerFaults(box.sandbox.world.db)).toEqual([])
  })
})

describe('a resolution is refused, and nothing changes', () => {
  let id: string
  let referenceId: string
  let before: unknown

  beforeEach(async () => {
    ;({ id, referenceId } = await call.opened())
    before = await everything()
  })

  const everything = async () => [
    (await call.read(id)).body.data,
    (await call.transaction(referenceId))?.state,
    await call.balances(ANA),
    await call.balances(BEN),
  ]

  test('403 without the scope, naming it, also for the parties', async () => {
    for (const as of ['ana@example.com', 'ben@example.com', 'operator@example.com', 'viewer@example.com']) {
      const { status, body } = await call.resolve(id, {}, { as })
      expect([status, String(body.title)]).toEqual([403, expect.stringContaining('core:disputes:resolve')])
    }
    expect(await everything()).toEqual(before)
  })

  test('409 for an arbitrator in a case of their own', async () => {
    const { db } = box.sandbox.world
    for (const side of ['raised_by_user_id', 'counterparty_user_id'] as const) {
      const other = await call.opened()
      await db
        .updateTable('dispute_case')
        .set({ [side]: NEWCOMER })
        .where('id', '=', other.id)
        .execute()
      expect(refusal(await call.resolve(other.id))).toEqual([409, 'core::disputes::party'])
      expect((await call.transaction(other.referenceId))?.state).toBe('DISPUTED')
    }
  })

  test('403 step-up for who is enrolled, until a grant of their own comes along', async () => {
    const as = 'arbitrator@example.com'
    const required = [403, 'core::gatekeeper::required']
    expect(refusal(await call.resolve(id, {}, { as }))).toEqual(required)
    expect(refusal(await call.resolve(id, {}, { as, ...(await call.granted(ADMIN)) }))).toEqual(required)
    expect(await everything()).toEqual(before)
    const answer = await call.resolve(id, {}, { as, ...(await call.granted(ARBITRATOR)) })
    expect([answer.status, answer.body.data?.resolvedByUserId]).toEqual([200, ARBITRATOR])
  })

  test.each([
    ['resolutionReason', 'empty', { resolutionReason: '' }],
    ['resolutionReason', 'blank', { resolutionReason: ' \n' }],
    ['resolutionReason', 'too long', { resolutionReason: 'x'.repeat(2001) }],
    ['resolutionReason', 'NUL', { resolutionReason: 'a\0b' }],
    ['resolutionReason', 'a number', { resolutionReason: 5 }],
    ['resolutionReason', 'missing', { resolutionReason: undefined }],
    ['releaseToRecipient', 'text', { releaseToRecipient: 'true' }],
    ['releaseToRecipient', 'null', { releaseToRecipient: null }],
    ['releaseToRecipient', 'missing', { releaseToRecipient: undefined }],
    ['resolutionOutcome', 'no field', { resolutionOutcome: 'RELEASED' }],
  ])('400 names the field: %s, %s', async (field, _what, change) => {
    const { status, body } = await call.resolve(id, change)
    expect([status, Object.keys(body.errors ?? {})]).toEqual([400, [field]])
    expect(await everything()).toEqual(before)
  })

  test('413 for a megabyte', async () => {
    expect((await call.resolve(id, { resolutionReason: 'x'.repeat(1_000_000) })).status).toBe(413)
    expect(await everything()).toEqual(before)
  })

  test('409 when it is resolved already, whichever way', async () => {
    await call.resolve(id)
    const after = await everything()
    for (const releaseToRecipient of [true, false]) {
      expect(refusal(await call.resolve(id, { releaseToRecipient }))).toEqual([409, 'core::disputes::resolved'])
    }
    expect(await everything()).toEqual(after)
  })
})

test('fifty resolutions at once, both ways: one takes effect, wholly', async () => {
  const ana = await call.balances(ANA)
  const { id, referenceId } = await call.opened()
  const ben = await call.balances(BEN)
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => call.resolve(id, { releaseToRecipient: n % 2 === 0 })),
  )
  const done = answers.filter(({ status }) => status === 200)
  expect(done).toHaveLength(1)
  expect(answers.filter((answer) => refusal(answer)[1] === 'core::disputes::resolved')).toHaveLength(49)
  const refunded = done[0]?.body.data?.resolutionOutcome === ('REFUNDED' as never)
  expect(await call.balances(ANA)).toEqual(refunded ? ana : [plus(ana[0], -20.25), plus(ana[1], -20.25)])
  expect(await call.balances(BEN)).toEqual(refunded ? [plus(ben[0], -20), ben[1]] : [ben[0], plus(ben[1], 20)])
  expect((await call.transaction(referenceId))?.state).toBe('PROCESSED')
  expect(total(await call.messages(id))).toBe(2)
  expect(await ledgerFaults(box.sandbox.world.db)).toEqual([])
})

test('the shop’s owner is a party of the case about a purchase', async () => {
  const { body } = await call.raise(await call.buy())
  await box.give('HOLDER,DISPUTE_ADMIN', CLEO)
  expect(refusal(await call.resolve(String(body.id), {}, { as: 'cleo@example.com' }))).toEqual([
    409,
    'core::disputes::party',
  ])
})
