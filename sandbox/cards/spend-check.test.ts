import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Refusal } from '#sandbox/http/problem.ts'
import { parseUnits } from '#sandbox/ledger/amount.ts'
import { lockLedger } from '#sandbox/ledger/append.ts'
import { newReference } from '#sandbox/ledger/reference.ts'
import type { LedgerRow } from '#sandbox/ledger/rows.ts'
import { type Spend, spendInstantly, spendProtected } from '#sandbox/ledger/spend.ts'
import { fail } from '#sandbox/ledger/transitions.ts'
import { type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'
import { formatTicks, parseTicks, plusSeconds } from '#sandbox/world/clock.ts'
import type { Trx } from '#sandbox/world/tables.ts'
import { requireUsableCard } from './spend-check.ts'
import { ANA, BEN, cardCalls } from './test-cards.ts'

const DAY = 86_400

let box: TestSandbox
let call: ReturnType<typeof cardCalls>
let id: string
let now: string

beforeAll(async () => {
  box = await testSandbox()
  call = cardCalls(box)
  await box.reset()
})
beforeEach(async () => {
  ;({ id } = await call.active())
  now = box.sandbox.world.clock.now()
})

const inLedger = <Result>(work: (trx: Trx) => Promise<Result>): Promise<Result> =>
  box.sandbox.world.db.transaction().execute(async (trx) => {
    await lockLedger(trx)
    return await work(trx)
  })

/** The title of the refusal, or null. */
async function refusal(amount: string, cardId = id, userId = ANA, at = now): Promise<string | null> {
  try {
    await inLedger((trx) => requireUsableCard(trx, cardId, userId, parseUnits(amount), at))
    return null
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { status, code, title } = error.problem
    return `${status} ${code} ${title}`
  }
}

const spend = (amount: string, at: string, cardId: string | null): Spend => ({
  referenceId: newReference('PUR', at),
  type: 'PURCHASE',
  from: ANA,
  to: BEN,
  units: parseUnits(amount),
  note: '',
  cardId,
  at,
})
const ago = (seconds: number): string => plusSeconds(now, -seconds)
const oneTickAfter = (time: string): string => formatTicks(parseTicks(time) + 1n)
const paid = (amount: string, at = ago(1), cardId: string | null = id): Promise<LedgerRow> =>
  inLedger((trx) => spendInstantly(trx, spend(amount, at, cardId)))
const held = (amount: string, fee: string): Promise<LedgerRow> =>
  inLedger((trx) => spendProtected(trx, spend(amount, ago(1), id), parseUnits(fee), false))
const limit = async (caps: object) => {
  expect((await call.limits(id, JSON.stringify(caps))).status).toBe(200)
}

describe('the card', () => {
  test('pays anything when it has no caps', async () => {
    await paid('100')
    expect(await refusal('999999999999')).toBeNull()
  })

  test('must exist, and belong to the payer', async () => {
    const notFound = expect.stringMatching(/^404 core::tessera::not_found /)
    for (const unknown of ['00000000-0000-4000-8000-00000000ffff', 'unknown', '']) {
      expect(await refusal('1', unknown)).toEqual(notFound)
    }
    expect(await refusal('1', id, BEN)).toEqual(notFound)
  })

  test('must be ACTIVE and not frozen', async () => {
    const unusable = (what: string) => expect.stringMatching(`^400 core::tessera::unusable .*${what}`)
    expect(await refusal('1', (await call.unissued()).id)).toEqual(unusable('UNISSUED'))
    await call.freeze(id)
    expect(await refusal('1')).toEqual(unusable('frozen'))
    await call.unfreeze(id)
    expect(await refusal('1')).toBeNull()
    await call.block(id)
    expect(await refusal('1')).toEqual(unusable('BLOCKED'))
  })
})

describe('each cap lets through exactly as much as it says', () => {
  const by = (cap: string) => `400 core::tessera::unusable This card cannot pay so much: its ${cap} does not allow it.`

  test('per transaction, whatever was spent before', async () => {
    await limit({ perTxnCap: 50 })
    await paid('50')
    expect(await refusal('50')).toBeNull()
    expect(await refusal('50.00000001')).toBe(by('per-transaction cap'))
  })

  test('daily, together with what was spent in 24 hours', async () => {
    await limit({ dailyCap: 100 })
    await paid('30.5', ago(DAY - 1))
    await paid('20')
    expect(await refusal('49.5')).toBeNull()
    expect(await refusal('49.50000001')).toBe(by('daily cap'))
  })

  test('over the card’s whole life', async () => {
    await limit({ lifetimeCap: 100 })
    await paid('30.5', ago(4 * DAY))
    await paid('20')
    expect(await refusal('49.5')).toBeNull()
    expect(await refusal('49.50000001')).toBe(by('lifetime cap'))
  })

  test('the tightest of the three decides', async () => {
    await limit({ perTxnCap: 10, dailyCap: 20, lifetimeCap: 30 })
    expect(await refusal('10.00000001')).toBe(by('per-transaction cap'))
    await paid('10', ago(2 * DAY))
    await paid('10', ago(3 * DAY))
    expect(await refusal('10')).toBeNull()
    await paid('5')
    expect(await refusal('5')).toBeNull()
    expect(await refusal('5.00000001')).toBe(by('lifetime cap'))
  })

  test('the day rolls: what is exactly 24 hours old no longer counts, a moment less does', async () => {
    await limit({ dailyCap: 100 })
    await paid('60', ago(DAY))
    expect(await refusal('100')).toBeNull()
    await paid('60', oneTickAfter(ago(DAY)))
    expect(await refusal('40')).toBeNull()
    expect(await refusal('40.00000001')).toBe(by('daily cap'))
    expect(await refusal('100', id, ANA, oneTickAfter(now))).toBeNull()
  })
})

describe('what counts as spent', () => {
  test('what is held counts with its fee; what failed does not, though it was held before', async () => {
    await limit({ lifetimeCap: 100 })
    const purchase = await held('60', '0.25')
    expect(purchase.state).toBe('PROCESSING')
    expect(await refusal('39.75')).toBeNull()
    expect(await refusal('39.75000001')).not.toBeNull()
    await inLedger((trx) => fail(trx, purchase, 'Told to fail.', now))
    expect(await refusal('100')).toBeNull()
    expect(await refusal('100.00000001')).not.toBeNull()
  })

  test('what failed for its fee does not count', async () => {
    await limit({ lifetimeCap: 100 })
    expect((await held('60', '999999')).state).toBe('FAIL')
    expect(await refusal('100')).toBeNull()
  })

  test('a purchase counts that names the card in upper case', async () => {
    await limit({ lifetimeCap: 5 })
    const text = `{"merchantId":"merchant-001","amount":5,"cardId":"${id.toUpperCase()}"}`
    const purchase = () => box.call('POST', '/api/v1/Transaction/purchase', { as: 'ana@example.com', text })
    expect((await purchase()).status).toBe(200)
    expect((await purchase()).body.title).toContain('its lifetime cap does not allow it')
  })

  test.each(['perTxnCap', 'dailyCap', 'lifetimeCap'])('%s covers the fee of a protected purchase', async (cap) => {
    await limit({ [cap]: 5.5 })
    const purchase = async (amount: number) => {
      const body = { merchantId: 'merchant-001', amount, cardId: id, useEscrow: true, gasTier: 'FAST' }
      return (await box.call('POST', '/api/v1/Transaction/purchase', { as: 'ana@example.com', body })).status
    }
    expect(await purchase(5.000_000_01)).toBe(400)
    expect(await purchase(5)).toBe(200)
  })

  test('other cards and spending without a card do not count', async () => {
    await limit({ lifetimeCap: 100 })
    await paid('60', ago(1), (await call.active()).id)
    await paid('60', ago(1), null)
    expect(await refusal('100')).toBeNull()
  })
})
