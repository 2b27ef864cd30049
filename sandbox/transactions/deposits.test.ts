import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { envelope } from '#lib/contract/endpoint.ts'
import { parseJson } from '#lib/contract/json.ts'
import { transaction } from '#lib/contract/transactions.ts'
import { userIdEndingIn } from '#sandbox/seed/people.ts'
import { newHolder } from '#sandbox/testing/new-holder.ts'
import { type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'

const ANA = userIdEndingIn('011')
const OPERATOR = 'operator@example.com'
const DAY = 86_400

let box: TestSandbox

beforeAll(async () => {
  box = await testSandbox()
})
beforeEach(() => box.reset())

const deposit = (text: string, as = 'ana@example.com') => box.call('POST', '/api/v1/Transaction/deposit', { as, text })
const confirm = (referenceId: string, as = OPERATOR, bankReference = 'BANK-1') =>
  box.call('POST', '/api/v1/Transaction/deposit/confirm', { as, body: { referenceId, bankReference } })
const read = (referenceId: string, as = OPERATOR) =>
  box.call('GET', `/api/v1/Transaction/${encodeURIComponent(referenceId)}`, { as })
const balances = async (of = ANA) => (await box.call('GET', `/sandbox/balances/${of}`)).body

async function queued(amount = '250.00', as = 'ana@example.com'): Promise<string> {
  const { body } = await deposit(`{"amount":${amount},"note":"Top-up"}`, as)
  return String(body.data?.referenceId)
}

describe('initiate', () => {
  test('queues and moves nothing', async () => {
    const before = await balances()
    const { status, body } = await deposit('{"amount":250.5,"note":"Top-up"}')
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ state: 'QUEUED', accepted: false })
    expect((await read(String(body.data?.referenceId))).body.data).toMatchObject({
      credit: '250.50000000',
      debit: '250.50000000',
      note: 'Top-up',
      settledAt: null,
      chainReferenceId: '',
    })
    expect(await balances()).toEqual(before)
  })

  test.each([
    ['0'],
    ['-1'],
    ['0.000000001'],
    ['1e12'],
    ['1e999999'],
    ['1e-9'],
    ['1000000000000'],
    ['123456789012345678901234567890'],
    ['"250"'],
    ['null'],
    ['true'],
  ])('400 names the amount: %s', async (amount) => {
    const { status, body } = await deposit(`{"amount":${amount}}`)
    expect(status).toBe(400)
    expect(Object.keys(body.errors ?? {})).toEqual(['amount'])
  })

  test('takes an amount however its number is written', async () => {
    for (const [literal, amount] of [
      ['1e2', '100.00000000'],
      ['25E-1', '2.50000000'],
      ['1.000000000', '1.00000000'],
    ] as const) {
      const referenceId = await queued(literal)
      expect((await read(referenceId)).body.data?.debit).toBe(amount)
    }
  })

  test('takes eight places exactly', async () => {
    const referenceId = await queued('999999999999.12345678')
    expect((await read(referenceId)).body.data?.debit).toBe('999999999999.12345678')
  })

  test('403 without the scope, naming it', async () => {
    const { status, body } = await deposit('{"amount":1}', OPERATOR)
    expect(status).toBe(403)
    expect(body.title).toContain('core:transactions:create')
  })
})

describe('confirm', () => {
  test('mints into escrow: the total goes up, the available balance does not', async () => {
    const before = await balances()
    const referenceId = await queued()
    const { status, body } = await confirm(referenceId)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ referenceId, state: 'PROCESSING', accepted: false })
    expect(String(body.data?.chainReferenceId)).toMatch(/^0x[0-9a-f]{64}$/)
    expect(String(body.data?.txContractAddress)).toMatch(/^0x[0-9a-f]{40}$/)
    const after = await balances()
    expect(after.availableBalance).toBe(before.availableBalance)
    expect(Number(after.totalBalance) - Number(before.totalBalance)).toBeCloseTo(250, 8)
  })

  test('is released after 24 hours of the ledger’s clock, not before', async () => {
    const { id, email } = await newHolder(box)
    const referenceId = await queued('250.00', email)
    await confirm(referenceId)
    await box.advance(DAY - 60)
    expect((await read(referenceId)).body.data?.state).toBe('PROCESSING')
    expect(await balances(id)).toEqual({ totalBalance: '250.00000000', availableBalance: '0.00000000' })
    await box.advance(60)
    const settled = (await read(referenceId)).body.data
    expect(settled?.state).toBe('PROCESSED')
    expect(settled?.settledAt).not.toBeNull()
    expect(await balances(id)).toEqual({ totalBalance: '250.00000000', availableBalance: '250.00000000' })
  })

  test('409 for one that is no longer queued, and the ledger stays', async () => {
    const referenceId = await queued()
    await confirm(referenceId)
    const before = await balances()
    expect((await confirm(referenceId)).status).toBe(409)
    expect(await balances()).toEqual(before)
  })

  test('fifty at once credit once', async () => {
    const before = await balances()
    const referenceId = await queued()
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => confirm(referenceId, OPERATOR, `BANK-${n}`)))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array.from({ length: 49 }, () => 409)])
    expect(Number((await balances()).totalBalance) - Number(before.totalBalance)).toBeCloseTo(250, 8)
  })

  test('404 for an unknown reference; 400 without a bank reference; 403 without the scope', async () => {
    expect((await confirm('DEP~nothing')).status).toBe(404)
    const referenceId = await queued()
    expect((await confirm(referenceId, OPERATOR, ' ')).body.errors).toHaveProperty('bankReference')
    expect((await confirm(referenceId, 'viewer@example.com')).status).toBe(403)
    expect((await read(referenceId)).body.data?.state).toBe('QUEUED')
  })

  test('told to be slow, it answers 202 and goes on by itself', async () => {
    const referenceId = await queued()
    const path = '/api/v1/Transaction/deposit/confirm'
    await box.call('POST', '/sandbox/faults', { body: { method: 'POST', path, effect: 'accept-202' } })
    const { status, body } = await confirm(referenceId)
    expect(status).toBe(202)
    expect(body.data).toMatchObject({ state: 'PENDING', accepted: true })
    await box.advance(5)
    expect((await read(referenceId)).body.data?.state).toBe('PROCESSING')
  })
})

describe('read', () => {
  test('answers what the contract says, with seven fractional digits and eight places', async () => {
    const referenceId = await queued()
    await confirm(referenceId)
    const response = await fetch(`${box.url}/api/v1/Transaction/${referenceId}`, {
      headers: { authorization: `Bearer ${await box.token(OPERATOR)}` },
    })
    const { data } = envelope(transaction).parse(parseJson(await response.text()))
    expect(data.createdAt).toMatch(/\.\d{7}Z$/)
    expect(data.debit).toMatch(/\.\d{8}$/)
    expect(Date.parse(response.headers.get('date') ?? '')).toBeGreaterThan(0)
  })

  test('parties see their own; to other holders it does not exist', async () => {
    const referenceId = await queued()
    expect((await read(referenceId, 'ana@example.com')).status).toBe(200)
    expect((await read(referenceId, 'ben@example.com')).status).toBe(404)
  })

  test.each([['unknown'], ['with space'], ['a/b'], ['ü?#%2F'], ['x'.repeat(5000)], ['..']])(
    '404 for a reference that nobody has: %s',
    async (reference) => {
      expect((await read(reference)).status).toBe(404)
    },
  )

  test('finds a reference made of odd characters', async () => {
    expect((await read('DEP~90/ad 7%2B+ü?#.20261101')).body.data?.state).toBe('QUEUED')
  })
})

describe('the ledger', () => {
  test('the database itself refuses to change or delete a row', async () => {
    const { db } = box.sandbox.world
    for (const table of ['ledger_row', 'ledger_entry', 'ledger_history']) {
      for (const statement of [
        `UPDATE ${table} SET reference_id = 'x'`,
        `DELETE FROM ${table}`,
        `TRUNCATE ${table} CASCADE`,
      ]) {
        const changed = statement.replace(
          "reference_id = 'x'",
          table === 'ledger_entry' ? "row_id = 'x'" : "reference_id = 'x'",
        )
        await expect(sql.raw(changed).execute(db)).rejects.toMatchObject({ code: '23001' })
      }
    }
  })

  test('the database itself refuses to overdraw a wallet', async () => {
    const { db } = box.sandbox.world
    const entry = await db
      .selectFrom('ledger_entry')
      .selectAll()
      .where('account_id', '=', ANA)
      .executeTakeFirstOrThrow()
    const overdrawn = { ...entry, position: 1_000_000, amount: '-1', balance_after: '-0.00000001' }
    await expect(db.insertInto('ledger_entry').values(overdrawn).execute()).rejects.toMatchObject({ code: '23514' })
  })
})
