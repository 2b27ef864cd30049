import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { userIdEndingIn } from '#sandbox/seed/people.ts'
import { ledgerFaults } from '#sandbox/testing/ledger-faults.ts'
import { type Answered, type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'

const ANA = userIdEndingIn('011')
const BEN = userIdEndingIn('012')
const HOUR = 3600

let box: TestSandbox

beforeAll(async () => {
  box = await testSandbox()
})
beforeEach(() => box.reset())

/** The amount stands in the body as it is written here: a JSON number. */
const transfer = (amount: string, change: object = {}, as = 'ana@example.com') =>
  box.call('POST', '/api/v1/Transaction/p2p', {
    as,
    text: JSON.stringify({ recipientId: BEN, ...change }).replace('{', `{"amount":${amount},`),
  })
const withdraw = (amount: string, change: object = {}, as = 'ana@example.com') =>
  box.call('POST', '/api/v1/Transaction/withdraw', {
    as,
    text: JSON.stringify({ bankAccount: 'BZ00 1234', ...change }).replace('{', `{"amount":${amount},`),
  })
const read = async (answer: Answered) =>
  (await box.call('GET', `/api/v1/Transaction/${answer.body.data?.referenceId}`, { as: 'operator@example.com' })).body
    .data
const control = (referenceId: unknown, move: string) =>
  box.call('POST', '/sandbox/transactions', { body: { referenceId, move } })

async function balances(userId: string): Promise<{ total: number; available: number }> {
  const { body } = await box.call('GET', `/sandbox/balances/${userId}`)
  return { total: Number(body.totalBalance), available: Number(body.availableBalance) }
}

/** How a wallet's two balances differ from what they were. */
async function change(userId: string, before: { total: number; available: number }) {
  const now = await balances(userId)
  const round = (value: number) => Math.round(value * 1e8) / 1e8
  return { total: round(now.total - before.total), available: round(now.available - before.available) }
}

describe('an instant transfer', () => {
  test('is final at once and has no fee', async () => {
    const [ana, ben] = [await balances(ANA), await balances(BEN)]
    const answer = await transfer('10.5', { note: 'Lunch' })
    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({ state: 'PROCESSED', accepted: false })
    expect(await read(answer)).toMatchObject({
      debit: '10.50000000',
      credit: '10.50000000',
      transactionType: 'P2P',
      fromAccountId: ANA,
      toAccountId: BEN,
      note: 'Lunch',
    })
    expect(await change(ANA, ana)).toEqual({ total: -10.5, available: -10.5 })
    expect(await change(BEN, ben)).toEqual({ total: 10.5, available: 10.5 })
  })

  test('refused for insufficient balance creates nothing', async () => {
    const before = await balances(ANA)
    const history = () => box.call('GET', `/api/v1/Transaction/account/${ANA}`, { as: 'ana@example.com' })
    const total = (await history()).body.data?.totalCount
    const { status, body } = await transfer('1000000')
    expect(status).toBe(400)
    expect(body.type).toBe('urn:ocs:error:core::kineto::p2p::initiate::fail')
    expect(body).not.toHaveProperty('referenceId')
    expect((await history()).body.data?.totalCount).toBe(total)
    expect(await balances(ANA)).toEqual(before)
  })

  test.each([
    ['0', 'amount'],
    ['-1', 'amount'],
    ['0.000000001', 'amount'],
    ['1e-9', 'amount'],
    ['1e999999', 'amount'],
    ['"10"', 'amount'],
  ])('400 names the field: amount %s', async (amount, field) => {
    const { status, body } = await transfer(amount)
    expect([status, Object.keys(body.errors ?? {})]).toEqual([400, [field]])
  })

  test.each([
    [{ recipientId: 'ben' }, 'recipientId'],
    [{ gasTier: 'WARP' }, 'gasTier'],
    [{ note: 'x'.repeat(501) }, 'note'],
    [{ useEscrow: 'yes' }, 'useEscrow'],
    [{ surprise: 1 }, 'surprise'],
  ])('400 names the field: %o', async (wrong, field) => {
    const { status, body } = await transfer('1', wrong)
    expect([status, Object.keys(body.errors ?? {})]).toEqual([400, [field]])
  })

  test('to oneself, to nobody and to a service account is refused', async () => {
    for (const recipientId of [ANA, userIdEndingIn('999'), '00000000-0000-4000-8000-0000000000a0']) {
      expect((await transfer('1', { recipientId })).status).toBe(400)
    }
  })

  test('401 without a token, 403 without the scope', async () => {
    expect((await box.call('POST', '/api/v1/Transaction/p2p', { body: {} })).status).toBe(401)
    expect((await transfer('1', {}, 'operator@example.com')).status).toBe(403)
  })
})

describe('a protected transfer', () => {
  const protect = (amount: string, more: object = {}) => transfer(amount, { useEscrow: true, ...more })

  test('waits in the recipient’s escrow, costs a fee by its tier, and settles when the window closes', async () => {
    const [ana, ben] = [await balances(ANA), await balances(BEN)]
    const answer = await protect('20', { gasTier: 'FAST' })
    expect(answer.body.data).toMatchObject({ state: 'PROCESSING', accepted: false })
    expect(await read(answer)).toMatchObject({ debit: '20.50000000', credit: '20.00000000', settledAt: null })
    expect(await change(ANA, ana)).toEqual({ total: -20.5, available: -20.5 })
    expect(await change(BEN, ben)).toEqual({ total: 20, available: 0 })
    await box.advance(71 * HOUR)
    expect((await read(answer))?.state).toBe('PROCESSING')
    await box.advance(HOUR + 60)
    expect((await read(answer))?.state).toBe('PROCESSED')
    expect(await change(BEN, ben)).toEqual({ total: 20, available: 20 })
  })

  test('whose balance covers the amount but not the fee fails, says why, and releases everything', async () => {
    const before = await balances(ANA)
    const answer = await protect(before.available.toFixed(8))
    expect(answer.status).toBe(200)
    expect(answer.body.data?.state).toBe('FAIL')
    expect(await read(answer)).toMatchObject({ state: 'FAIL', failReason: expect.stringContaining('fee') })
    expect((await read(answer))?.settledAt).not.toBeNull()
    expect(await balances(ANA)).toEqual(before)
  })

  test('told to be slow answers 202, PROCESSING, and gets its chain reference later', async () => {
    const path = '/api/v1/Transaction/p2p'
    await box.call('POST', '/sandbox/faults', { body: { method: 'POST', path, effect: 'accept-202' } })
    const answer = await protect('5')
    expect(answer.status).toBe(202)
    expect(answer.body.data).toMatchObject({ state: 'PROCESSING', accepted: true })
    expect((await read(answer))?.chainReferenceId).toBe('')
    await box.advance(5)
    expect(await read(answer)).toMatchObject({ state: 'PROCESSING', chainReferenceId: expect.stringMatching(/^0x/) })
    await box.advance(73 * HOUR)
    expect((await read(answer))?.state).toBe('PROCESSED')
  })

  test('blocked for review does not settle; unblocked after its window it settles at once', async () => {
    const ben = await balances(BEN)
    const answer = await protect('7')
    const { referenceId } = answer.body.data ?? {}
    expect((await control(referenceId, 'block')).status).toBe(200)
    await box.advance(80 * HOUR)
    expect((await read(answer))?.state).toBe('BLOCKED')
    expect(await change(BEN, ben)).toEqual({ total: 7, available: 0 })
    await control(referenceId, 'unblock')
    await box.advance(1)
    expect((await read(answer))?.state).toBe('PROCESSED')
    expect((await control(referenceId, 'block')).status).toBe(409)
  })

  test('that fails in flight releases the reservation, fee included', async () => {
    const before = await balances(ANA)
    const answer = await protect('9')
    await control(answer.body.data?.referenceId, 'fail')
    expect((await read(answer))?.state).toBe('FAIL')
    expect(await balances(ANA)).toEqual(before)
  })
})

describe('a withdrawal', () => {
  test('is reserved at once and paid out a moment later', async () => {
    const before = await balances(ANA)
    const answer = await withdraw('15')
    expect(answer.body.data).toMatchObject({ state: 'QUEUED', accepted: false })
    expect(await change(ANA, before)).toEqual({ total: -15, available: -15 })
    await box.advance(5)
    expect(await read(answer)).toMatchObject({ state: 'PROCESSED', transactionType: 'WITHDRAWAL' })
    expect(await change(ANA, before)).toEqual({ total: -15, available: -15 })
  })

  test('is refused beyond the balance and for a bank account that is none', async () => {
    expect((await withdraw('1000000')).body.type).toBe('urn:ocs:error:core::kineto::withdraw::initiate::fail')
    expect((await withdraw('1', { bankAccount: 'x' })).body.errors).toHaveProperty('bankAccount')
  })
})

test('a deposit reversed in its window is settled, and its money goes back by a transaction of its own', async () => {
  const before = await balances(ANA)
  const deposit = await box.call('POST', '/api/v1/Transaction/deposit', { as: 'ana@example.com', body: { amount: 30 } })
  const { referenceId } = deposit.body.data ?? {}
  await box.call('POST', '/api/v1/Transaction/deposit/confirm', {
    as: 'operator@example.com',
    body: { referenceId, bankReference: 'B-1' },
  })
  const reversal = (await control(referenceId, 'reverse')).body.transaction
  expect(reversal).toMatchObject({ transactionType: 'REVERSAL', state: 'PROCESSED', credit: '30.00000000' })
  expect((await read(deposit))?.state).toBe('PROCESSED')
  expect(await balances(ANA)).toEqual(before)
})

describe('simultaneous spending never overspends', () => {
  test.each([
    ['instant transfers', () => transfer('1000')],
    ['protected transfers', () => transfer('1000', { useEscrow: true })],
    ['withdrawals', () => withdraw('1000')],
  ])('fifty %s', async (_what, spend) => {
    const before = await balances(ANA)
    const affordable = Math.floor(before.available / 1000)
    const answers = await Promise.all(Array.from({ length: 50 }, spend))
    const done = answers.filter(({ status, body }) => status === 200 && body.data?.state !== ('FAIL' as never))
    expect(done.length).toBe(affordable)
    expect((await balances(ANA)).available).toBeGreaterThanOrEqual(0)
    expect(await ledgerFaults(box.sandbox.world.db)).toEqual([])
  })
})

describe('expired tokens', () => {
  const expire = (body: object) => box.call('POST', '/sandbox/tokens/expire', { body })
  const pair = async () =>
    (await box.call('POST', '/api/v1/Users/login', { body: { email: 'ana@example.com', password: 'Sandbox-Pass-1' } }))
      .body.data
  const works = async (token: unknown) =>
    (await box.call('GET', `/api/v1/Users/${ANA}/scopes`, { as: String(token) })).status === 200
  const refresh = (refreshToken: unknown) => box.call('POST', '/api/v1/Users/refresh-token', { body: { refreshToken } })

  test('access tokens end at once; a refreshed one works in the same second', async () => {
    const tokens = await pair()
    await expire({ userId: ANA })
    expect(await works(tokens?.accessToken)).toBe(false)
    const renewed = await refresh(tokens?.refreshToken)
    expect(await works(renewed.body.data?.accessToken)).toBe(true)
  })

  test('refresh tokens end as well when asked; nobody else is touched', async () => {
    const tokens = await pair()
    await expire({ userId: BEN, refresh: true })
    expect(await works(tokens?.accessToken)).toBe(true)
    await expire({ userId: ANA, refresh: true })
    expect((await refresh(tokens?.refreshToken)).status).toBe(401)
    expect((await expire({ userId: 'nobody' })).status).toBe(404)
  })
})
