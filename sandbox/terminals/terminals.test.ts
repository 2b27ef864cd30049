import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { envelope } from '#lib/contract/endpoint.ts'
import { parseJson } from '#lib/contract/json.ts'
import { terminals } from '#lib/contract/terminals.ts'
import { userIdEndingIn } from '#sandbox/seed/people.ts'
import { type Answered, type Json, type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'

const TERMINALS = '/api/v1/merchant-terminals'
const OPERATOR = 'operator@example.com'
/** May read terminals, is no merchant admin. */
const VIEWER = 'viewer@example.com'
const UNKNOWN_ID = '7d9d1f2e-3c62-4f44-9d35-0b8f5f0a1c11'

let box: TestSandbox

beforeAll(async () => {
  box = await testSandbox()
})
beforeEach(() => box.reset())
afterEach(() => vi.restoreAllMocks())

const list = (merchantId: string, as = OPERATOR) =>
  box.call('GET', `${TERMINALS}?merchantId=${encodeURIComponent(merchantId)}`, { as })
const read = (id: string, as = OPERATOR) => box.call('GET', `${TERMINALS}/${encodeURIComponent(id)}`, { as })
const register = (body: unknown, as = OPERATOR) => box.call('POST', TERMINALS, { as, body })
const disable = (id: string, as = OPERATOR) => box.call('POST', `${TERMINALS}/${id}/disable`, { as })

const listed = ({ body }: Answered): readonly Json[] => (body.data?.terminals ?? []) as unknown as readonly Json[]
const uids = async (merchantId: string) => listed(await list(merchantId)).map((row) => row.terminalUid)
const codeOf = ({ status, body }: Answered) => [status, String(body.type).replace('urn:ocs:error:', '')]

const NOT_FOUND = [404, 'core::tessera::terminal::not_found']
const INVALID = [400, 'core::tessera::terminal::invalid']

/** The id of a seeded terminal in some status. */
async function seeded(status: string, merchantId = 'merchant-001'): Promise<string> {
  return String(listed(await list(merchantId)).find((row) => String(row.status) === status)?.id)
}

async function makeOwner(ending: string, merchantId = 'merchant-001'): Promise<void> {
  const { db } = box.sandbox.world
  await db
    .updateTable('merchant')
    .set({ owner_user_id: userIdEndingIn(ending) })
    .where('id', '=', merchantId)
    .execute()
}

describe('list', () => {
  test.each([
    ['merchant-001', ['0001', '0002', '0003', '0004', '0005']],
    ['merchant-002', ['0006', '0007', '0008']],
    ['merchant-003', ['0009', '0010', '0011', '0012']],
  ])('the terminals of %s as they were registered, one of them disabled', async (merchantId, numbers) => {
    const answer = await list(merchantId)
    expect(answer.status).toBe(200)
    expect(listed(answer).map((row) => row.terminalUid)).toEqual(numbers.map((number) => `PAX-A920-${number}`))
    expect(listed(answer).map((row) => row.label)).toEqual(numbers.map((_, index) => `counter-${index + 1}`))
    expect(listed(answer).filter((row) => String(row.status) === 'DISABLED')).toHaveLength(1)
  })

  test('reads by the contract, with no unreadable row', async () => {
    const response = await fetch(`${box.url}${TERMINALS}?merchantId=merchant-001`, {
      headers: { authorization: `Bearer ${await box.token(OPERATOR)}` },
    })
    const { data } = envelope(terminals.list.data).parse(parseJson(await response.text()))
    expect(data.terminals.map((row) => row.readable && row.value.merchantId)).toEqual(Array(5).fill('merchant-001'))
  })

  test('a new terminal comes last', async () => {
    await register({ merchantId: 'merchant-002', terminalUid: 'AAA-1' })
    expect((await uids('merchant-002')).at(-1)).toBe('AAA-1')
  })

  test.each([['?'], ['?merchantId='], ['?merchantId=%20%20']])('400 without a merchant: %s', async (query) => {
    const answer = await box.call('GET', TERMINALS + query, { as: OPERATOR })
    expect(codeOf(answer)).toEqual(INVALID)
    expect(Object.keys(answer.body.errors ?? {})).toEqual(['merchantId'])
  })

  test.each([['merchant-999'], ['merchant-001\0'], ["' or 1=1 --"], ['x'.repeat(3000)]])(
    '404 for an unknown merchant: %j',
    async (merchantId) => {
      expect(codeOf(await list(merchantId))).toEqual(NOT_FOUND)
    },
  )

  test('404 for somebody else’s merchant, told like an unknown one; its owner sees it', async () => {
    const [hidden, unknown] = [await list('merchant-001', VIEWER), await list('merchant-999', VIEWER)]
    expect({ ...hidden.body, traceId: '' }).toEqual({ ...unknown.body, traceId: '' })
    expect(codeOf(hidden)).toEqual(NOT_FOUND)
    await makeOwner('004')
    expect(listed(await list('merchant-001', VIEWER))).toHaveLength(5)
    expect(codeOf(await list('merchant-002', VIEWER))).toEqual(NOT_FOUND)
  })

  test('401 without a token; 403 without the scope, naming it', async () => {
    expect((await box.call('GET', `${TERMINALS}?merchantId=merchant-001`)).status).toBe(401)
    const { status, body } = await list('merchant-001', 'cleo@example.com')
    expect(status).toBe(403)
    expect(body.title).toContain('core:merchant_terminals:read')
  })
})

describe('read', () => {
  test('answers what the list does', async () => {
    const rows = listed(await list('merchant-003'))
    for (const row of rows) expect((await read(String(row.id))).body.data).toEqual(row)
  })

  test('finds a terminal by its id in upper case', async () => {
    const id = await seeded('ACTIVE')
    expect((await read(id.toUpperCase())).body.data?.id).toBe(id)
    expect((await disable(id.toUpperCase())).body.data).toMatchObject({ id, status: 'DISABLED' })
  })

  test.each([[UNKNOWN_ID], ['nonsense'], ['a\0b'], ['..']])('404 for an unknown terminal: %j', async (id) => {
    expect(codeOf(await read(id))).toEqual(id === '..' ? [404, expect.any(String)] : NOT_FOUND)
  })

  test('404 for a terminal of somebody else’s merchant; its owner sees it; 403 without the scope', async () => {
    const id = await seeded('ACTIVE')
    expect(codeOf(await read(id, VIEWER))).toEqual(NOT_FOUND)
    await makeOwner('004')
    expect((await read(id, VIEWER)).status).toBe(200)
    expect((await read(id, 'ana@example.com')).status).toBe(403)
  })
})

describe('register', () => {
  test('answers the ACTIVE terminal, which can be read', async () => {
    const { status, body } = await register({ merchantId: 'merchant-002', terminalUid: ' VX-1 ', label: ' bar ' })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      merchantId: 'merchant-002',
      terminalUid: 'VX-1',
      label: 'bar',
      status: 'ACTIVE',
      registeredAt: expect.stringMatching(/\.\d{7}Z$/),
    })
    expect(body.data?.updatedAt).toBe(body.data?.registeredAt)
    expect((await read(String(body.data?.id))).body.data).toEqual(body.data)
  })

  test('the label may be left out, and both may be as long as the limits', async () => {
    const short = await register({ merchantId: 'merchant-001', terminalUid: 'u'.repeat(64) })
    expect(short.body.data?.label).toBe('')
    const long = await register({ merchantId: 'merchant-001', terminalUid: 'ü 1/2', label: 'l'.repeat(100) })
    expect(long.status).toBe(200)
  })

  test.each([
    ['merchantId', { merchantId: undefined }],
    ['merchantId', { merchantId: '  ' }],
    ['merchantId', { merchantId: 1 }],
    ['terminalUid', { terminalUid: undefined }],
    ['terminalUid', { terminalUid: '' }],
    ['terminalUid', { terminalUid: ' \t ' }],
    ['terminalUid', { terminalUid: 'u'.repeat(65) }],
    ['terminalUid', { terminalUid: 'a\0b' }],
    ['terminalUid', { terminalUid: 'a\ud800b' }],
    ['terminalUid', { terminalUid: null }],
    ['label', { label: 'l'.repeat(101) }],
    ['label', { label: 'a\nb' }],
    ['label', { label: 7 }],
    ['serial', { serial: 'x' }],
  ])('400 names the field %s: %j', async (field, change) => {
    const before = await uids('merchant-001')
    const answer = await register({ merchantId: 'merchant-001', terminalUid: 'NEW-1', ...change })
    expect(codeOf(answer)).toEqual(INVALID)
    expect(Object.keys(answer.body.errors ?? {})).toEqual([field])
    expect(await uids('merchant-001')).toEqual(before)
  })

  test('400 without a body', async () => {
    expect(codeOf(await box.call('POST', TERMINALS, { as: OPERATOR }))).toEqual(INVALID)
  })

  test('409 for a UID that any merchant has, disabled or not; the text is exact', async () => {
    const taken = [409, 'core::tessera::terminal::already_registered']
    const disabled = await read(await seeded('DISABLED', 'merchant-003'))
    for (const terminalUid of ['PAX-A920-0001', ' PAX-A920-0001 ', disabled.body.data?.terminalUid]) {
      expect(codeOf(await register({ merchantId: 'merchant-002', terminalUid }))).toEqual(taken)
    }
    expect((await register({ merchantId: 'merchant-002', terminalUid: 'pax-a920-0001' })).status).toBe(200)
  })

  test('twenty at once with one UID register one', async () => {
    const merchants = ['merchant-001', 'merchant-002', 'merchant-003']
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => register({ merchantId: merchants[n % 3], terminalUid: 'RACE-1' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
    const all = (await Promise.all(merchants.map(uids))).flat()
    expect(all.filter((uid) => String(uid) === 'RACE-1')).toHaveLength(1)
  })

  test('404 for an unknown merchant, even with a taken UID; 403 without the scope', async () => {
    expect(codeOf(await register({ merchantId: 'merchant-999', terminalUid: 'NEW-1' }))).toEqual(NOT_FOUND)
    expect(codeOf(await register({ merchantId: 'merchant-999', terminalUid: 'PAX-A920-0001' }))).toEqual(NOT_FOUND)
    const { status, body } = await register({ merchantId: 'merchant-001', terminalUid: 'NEW-1' }, VIEWER)
    expect(status).toBe(403)
    expect(body.title).toContain('core:merchant_terminals:create')
  })
})

describe('disable', () => {
  test('stops an ACTIVE terminal and says when', async () => {
    const id = await seeded('ACTIVE')
    const before = (await read(id)).body.data
    const { status, body } = await disable(id)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ id, status: 'DISABLED', registeredAt: before?.registeredAt })
    expect(String(body.data?.updatedAt) > String(before?.updatedAt)).toBe(true)
    expect((await read(id)).body.data).toEqual(body.data)
  })

  test('409 for one that is disabled already, which stays as it was', async () => {
    const id = await seeded('DISABLED')
    const before = (await read(id)).body.data
    expect(codeOf(await disable(id))).toEqual([409, 'core::tessera::request::invalid'])
    expect((await read(id)).body.data).toEqual(before)
  })

  test('twenty at once disable once', async () => {
    const id = await seeded('ACTIVE')
    const answers = await Promise.all(Array.from({ length: 20 }, () => disable(id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
  })

  test('404 for an unknown terminal; 403 without the scope', async () => {
    expect(codeOf(await disable(UNKNOWN_ID))).toEqual(NOT_FOUND)
    expect(codeOf(await disable('nonsense'))).toEqual(NOT_FOUND)
    const { status, body } = await disable(await seeded('ACTIVE'), VIEWER)
    expect(status).toBe(403)
    expect(body.title).toContain('core:merchant_terminals:disable')
  })
})

describe('a write that fails', () => {
  test('is 500 with a code of its own, and nothing changed', async () => {
    const { db } = box.sandbox.world
    const id = await seeded('ACTIVE')
    const before = listed(await list('merchant-001'))
    await sql`ALTER TABLE terminal ADD CONSTRAINT broken CHECK (false) NOT VALID`.execute(db)
    const log = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const answers = [await disable(id), await register({ merchantId: 'merchant-001', terminalUid: 'NEW-1' })]
    await sql`ALTER TABLE terminal DROP CONSTRAINT broken`.execute(db)
    for (const answer of answers) expect(codeOf(answer)).toEqual([500, 'core::tessera::terminal::update::fail'])
    expect(log).toHaveBeenCalledTimes(2)
    expect(listed(await list('merchant-001'))).toEqual(before)
  })
})
