import { createHmac } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { userIdEndingIn } from '#sandbox/seed/people.ts'
import { KYC_SECRET, type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'

const WEBHOOK = '/sandbox/webhooks/kyc'
const ANA = userIdEndingIn('011')

let box: TestSandbox

beforeAll(async () => {
  box = await testSandbox()
})
beforeEach(() => box.reset())

const now = () => Math.floor(Date.now() / 1000)
const mac = (text: string, at: number | string, secret = KYC_SECRET) =>
  createHmac('sha256', secret).update(`${at}.${text}`).digest('hex')
const signed = (text: string, at = now(), secret = KYC_SECRET) => `t=${at},v1=${mac(text, at, secret)}`

const send = (text: string, signature: string | null) =>
  box.call('POST', WEBHOOK, { text, headers: signature === null ? {} : { 'x-kyc-signature': signature } })
const deliver = (body: unknown) => send(JSON.stringify(body), signed(JSON.stringify(body)))

const delivery = { id: 'delivery-1', userId: ANA, status: 'REJECTED' }
const text = JSON.stringify(delivery)

async function kycStatus(userId = ANA): Promise<string | undefined> {
  const { db } = box.sandbox.world
  return (await db.selectFrom('app_user').select('kyc_status').where('id', '=', userId).executeTakeFirst())?.kyc_status
}

describe('a signed delivery', () => {
  test.each([['APPROVED'], ['REJECTED'], ['PENDING_REVIEW']])('sets the status %s and answers 204', async (status) => {
    await box.sandbox.world.db.updateTable('app_user').set({ kyc_status: 'PENDING' }).execute()
    const answer = await deliver({ ...delivery, status })
    expect([answer.status, answer.body]).toEqual([204, null])
    expect(await kycStatus()).toBe(status)
    expect(await kycStatus(userIdEndingIn('012'))).toBe('PENDING')
  })

  test('is taken however its JSON is written: the signature is over the text as it was sent', async () => {
    const spaced = ` {"status" : "REJECTED",\n"userId":"${ANA}", "id":"\\u0061" }`
    expect((await send(spaced, signed(JSON.stringify(JSON.parse(spaced))))).status).toBe(401)
    expect((await send(spaced, signed(spaced))).status).toBe(204)
  })

  test('changes the status of a user who has just registered', async () => {
    const { body } = await box.call('POST', '/api/v1/Users/register', {
      body: {
        firstName: 'Eva',
        lastName: 'Estrada',
        email: 'eva@example.com',
        phoneNumber: '+501 600-1234',
        username: 'eva',
        password: 'Another-Pass-2',
      },
    })
    const userId = String(body.data?.id)
    expect(await kycStatus(userId)).toBe('PENDING')
    expect((await deliver({ id: 'd-2', userId, status: 'APPROVED' })).status).toBe(204)
    expect(await kycStatus(userId)).toBe('APPROVED')
  })
})

describe('401', () => {
  test.each([
    ['no signature', () => null],
    ['an empty one', () => ''],
    ['nonsense', () => 'nonsense'],
    ['no time', () => `v1=${mac(text, now())}`],
    ['no code', () => `t=${now()}`],
    ['a short code', () => signed(text).slice(0, -2)],
    ['a code that is not hexadecimal', () => `${signed(text).slice(0, -1)}g`],
    ['two codes', () => `${signed(text)},v1=${mac(text, now())}`],
    ['another version', () => signed(text).replace('v1', 'v0')],
    ['the code of another text', () => signed(`${text} `)],
    ['the code of another time', () => `t=${now() - 1},v1=${mac(text, now())}`],
    [
      'the code of the body alone',
      () => `t=${now()},v1=${createHmac('sha256', KYC_SECRET).update(text).digest('hex')}`,
    ],
    ['another secret', () => signed(text, now(), 'another secret')],
    ['a negative time', () => signed(text, -now())],
    ['a time long ago', () => signed(text, now() - 301)],
    ['a time far ahead', () => signed(text, now() + 302)],
  ])('for %s, and nothing changes', async (_what, signature) => {
    const answer = await send(text, signature())
    expect([answer.status, answer.body.type]).toEqual([401, 'urn:ocs:error:sandbox::webhook::signature'])
    expect(answer.headers.get('content-type')).toContain('application/problem+json')
    expect(await kycStatus()).toBe('APPROVED')
  })

  test('for a body that was changed on the way', async () => {
    expect((await send(text.replace('REJECTED', 'APPROVED'), signed(text))).status).toBe(401)
  })

  test('comes before anything is said about the body', async () => {
    expect((await send('{"id":', signed('x'))).status).toBe(401)
    expect((await box.call('POST', WEBHOOK)).status).toBe(401)
  })

  test('does not use up the delivery: signed, it is taken', async () => {
    await send(text, null)
    expect((await deliver(delivery)).status).toBe(204)
  })
})

test.each([[-299], [299]])('a time within five minutes is taken: %i seconds', async (seconds) => {
  expect((await send(text, signed(text, now() + seconds))).status).toBe(204)
})

test('the time is the machine’s, not the ledger’s', async () => {
  await box.advance(3600)
  expect((await deliver(delivery)).status).toBe(204)
})

describe('a delivery that was taken', () => {
  test('is refused with 409, whatever it says now, and changes nothing', async () => {
    await deliver(delivery)
    const answer = await deliver({ ...delivery, status: 'APPROVED' })
    expect([answer.status, answer.body.type]).toEqual([409, 'urn:ocs:error:sandbox::webhook::repeated'])
    expect(await kycStatus()).toBe('REJECTED')
  })

  test('fifty at once are taken once', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => deliver(delivery)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(49).fill(409)])
  })
})

describe('refusals', () => {
  test('404 for an unknown user; the delivery may come again', async () => {
    const unknown = await deliver({ ...delivery, userId: userIdEndingIn('999') })
    expect([unknown.status, unknown.body.type]).toEqual([404, 'urn:ocs:error:sandbox::user::not_found'])
    expect((await deliver({ ...delivery, userId: 'nobody' })).status).toBe(404)
    expect((await deliver(delivery)).status).toBe(204)
  })

  test.each([
    ['id', { id: undefined }],
    ['id', { id: '' }],
    ['id', { id: 7 }],
    ['id', { id: 'a\0b' }],
    ['id', { id: 'x'.repeat(201) }],
    ['userId', { userId: undefined }],
    ['userId', { userId: 'a\0b' }],
    ['status', { status: 'PENDING' }],
    ['status', { status: 'approved' }],
    ['score', { score: 1 }],
  ])('400 names the field %s: %j', async (field, change) => {
    const answer = await deliver({ ...delivery, ...change })
    expect(answer.status).toBe(400)
    expect(Object.keys(answer.body.errors ?? {})).toEqual([field])
    expect(await kycStatus()).toBe('APPROVED')
  })

  test.each([['{"id":'], [''], ['null'], ['[]'], ['"text"']])(
    '400 for a body that is no delivery: %j',
    async (body) => {
      expect((await send(body, signed(body))).status).toBe(400)
    },
  )

  test('415 for another media type; 413 for a megabyte', async () => {
    const headers = { 'content-type': 'text/plain', 'x-kyc-signature': signed(text) }
    expect((await box.call('POST', WEBHOOK, { text, headers })).status).toBe(415)
    const large = JSON.stringify({ ...delivery, id: 'x'.repeat(1_000_000) })
    expect((await send(large, signed(large))).status).toBe(413)
  })
})

test('elsewhere JSON is read as before', async () => {
  const { status } = await box.call('POST', '/api/v1/Users/login', { text: '{"email":' })
  expect(status).toBe(400)
})
