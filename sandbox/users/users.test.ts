import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { envelope } from '#lib/contract/endpoint.ts'
import { parseJson } from '#lib/contract/json.ts'
import { scopesResult, tokenPair } from '#lib/contract/users.ts'
import { SEED_PASSWORD, userIdEndingIn } from '#sandbox/seed/people.ts'
import { type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'

let box: TestSandbox

beforeAll(async () => {
  box = await testSandbox()
})
beforeEach(() => box.reset())

const newcomer = {
  firstName: 'Eva',
  lastName: 'Estrada',
  email: 'eva@example.com',
  phoneNumber: '+501 600-1234',
  username: 'eva',
  password: 'Another-Pass-2',
}

const register = (change: object = {}) =>
  box.call('POST', '/api/v1/Users/register', { body: { ...newcomer, ...change } })
const login = (email: string, password = SEED_PASSWORD) =>
  box.call('POST', '/api/v1/Users/login', { body: { email, password } })
const refresh = (refreshToken: unknown) => box.call('POST', '/api/v1/Users/refresh-token', { body: { refreshToken } })

describe('register', () => {
  test('makes a user who can sign in, with KYC pending', async () => {
    const { status, body } = await register()
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ email: newcomer.email, username: 'eva', kycStatus: 'PENDING' })
    expect(body.data).not.toHaveProperty('password')
    expect((await login(newcomer.email, newcomer.password)).status).toBe(200)
  })

  test.each([
    ['the e-mail address', { username: 'other' }],
    ['the e-mail address in other case', { username: 'other', email: 'EVA@example.com' }],
    ['the username', { email: 'other@example.com' }],
  ])('409 when %s is taken', async (_what, change) => {
    await register()
    expect(await register(change)).toMatchObject({ status: 409, body: { type: 'urn:ocs:error:core::users::taken' } })
  })

  test.each([
    ['firstName', { firstName: 'Ev' }],
    ['firstName', { firstName: 'E'.repeat(129) }],
    ['lastName', { lastName: '' }],
    ['email', { email: 'not an address' }],
    ['phoneNumber', { phoneNumber: 'call me' }],
    ['username', { username: 'a'.repeat(17) }],
    ['password', { password: 'short' }],
    ['password', { password: 'all-lower-case-1' }],
    ['password', { password: 12 }],
    ['nickname', { nickname: 'E' }],
  ])('400 names the field %s: %o', async (field, change) => {
    const { status, body } = await register(change)
    expect(status).toBe(400)
    expect(Object.keys(body.errors ?? {})).toEqual([field])
  })
})

describe('login', () => {
  test('answers a token pair of the contract', async () => {
    const response = await fetch(`${box.url}/api/v1/Users/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ana@example.com', password: SEED_PASSWORD }),
    })
    const read = envelope(tokenPair).safeParse(parseJson(await response.text()))
    expect(read.success && read.data.data.expiresIn).toBe(600)
  })

  test('401 for a wrong password and for an unknown address, told alike', async () => {
    const wrong = await login('ana@example.com', 'Wrong-Pass-1')
    const unknown = await login('nobody@example.com')
    expect([wrong.status, unknown.status]).toEqual([401, 401])
    expect(wrong.body.title).toEqual(unknown.body.title)
  })

  test('403 for an account that may not sign in', async () => {
    expect((await login('closed@example.com')).status).toBe(403)
  })

  test('423 for a locked account, and after five wrong passwords, even then with the right one', async () => {
    expect((await login('locked@example.com')).status).toBe(423)
    const statuses: number[] = []
    for (let n = 0; n < 5; n += 1) statuses.push((await login('dario@example.com', 'Wrong-Pass-1')).status)
    expect(statuses).toEqual([401, 401, 401, 401, 423])
    expect((await login('dario@example.com')).status).toBe(423)
  })

  test('the right password forgets the wrong ones before it', async () => {
    for (let round = 0; round < 2; round += 1) {
      for (let n = 0; n < 4; n += 1) await login('dario@example.com', 'Wrong-Pass-1')
      expect((await login('dario@example.com')).status).toBe(200)
    }
  })
})

describe('refresh-token', () => {
  test('gives a new pair, and the new access token works', async () => {
    const first = await login('ana@example.com')
    const second = await refresh(first.body.data?.refreshToken)
    expect(second.status).toBe(200)
    expect(second.body.data?.refreshToken).not.toBe(first.body.data?.refreshToken)
    const path = `/api/v1/Users/${userIdEndingIn('011')}/scopes`
    expect((await box.call('GET', path, { as: String(second.body.data?.accessToken) })).status).toBe(200)
  })

  test('a token used twice ends its whole family', async () => {
    const first = await login('ana@example.com')
    const second = await refresh(first.body.data?.refreshToken)
    expect((await refresh(first.body.data?.refreshToken)).status).toBe(401)
    expect((await refresh(second.body.data?.refreshToken)).status).toBe(401)
  })

  test('of twenty at once with one token, one at most is served, and the family ends', async () => {
    const first = await login('ana@example.com')
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(first.body.data?.refreshToken)))
    const served = answers.filter(({ status }) => status === 200)
    expect(served.length).toBeLessThanOrEqual(1)
    for (const { body } of served) expect((await refresh(body.data?.refreshToken)).status).toBe(401)
  })

  test('another sign-in of the same user is another family', async () => {
    const [one, other] = [await login('ana@example.com'), await login('ana@example.com')]
    await refresh(one.body.data?.refreshToken)
    await refresh(one.body.data?.refreshToken)
    expect((await refresh(other.body.data?.refreshToken)).status).toBe(200)
  })

  test('the store drops expired tokens', async () => {
    const { db } = box.sandbox.world
    await login('ana@example.com')
    await db.updateTable('oidc_record').set({ expires_at: 1 }).execute()
    await login('ben@example.com')
    expect(await db.selectFrom('oidc_record').select('id').where('expires_at', '=', 1).execute()).toEqual([])
  })

  test.each([['nonsense'], ['']])('401 for %j', async (token) => {
    expect((await refresh(token)).status).toBe(401)
  })
})

describe('scopes', () => {
  test('lists them without the prefix', async () => {
    const response = await fetch(`${box.url}/api/v1/Users/${userIdEndingIn('001')}/scopes`, {
      headers: { authorization: `Bearer ${await box.token('operator@example.com')}` },
    })
    const { data } = envelope(scopesResult).parse(parseJson(await response.text()))
    expect(data.roles).toEqual(['SUPPORT'])
    expect(data.scopes).toContain('transactions:confirm')
    expect(data.scopes.some((scope) => scope.startsWith('core:'))).toBe(false)
  })

  test('404 for somebody else, unless staff', async () => {
    const path = `/api/v1/Users/${userIdEndingIn('012')}/scopes`
    expect((await box.call('GET', path, { as: 'ana@example.com' })).status).toBe(404)
    expect((await box.call('GET', path, { as: 'operator@example.com' })).status).toBe(200)
  })

  test('401 without a token, with a garbled one, and with one that was tampered with', async () => {
    const path = `/api/v1/Users/${userIdEndingIn('011')}/scopes`
    const token = await box.token('ana@example.com')
    const [head, , signature] = token.split('.')
    const claims = Buffer.from(JSON.stringify({ sub: userIdEndingIn('003'), generation: 0 })).toString('base64url')
    for (const as of [undefined, 'nonsense', `${head}.${claims}.${signature}`]) {
      const answer = await box.call('GET', path, as === undefined ? {} : { as })
      expect(answer).toMatchObject({ status: 401, body: { status: 401 } })
    }
  })
})
