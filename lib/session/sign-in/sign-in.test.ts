import { Writable } from 'node:stream'
import pino from 'pino'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { LINES, mayLog } from '#lib/config/log.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import type * as revokeEnded from '#lib/session/vault/revoke-ended.ts'
import { store } from '#lib/store/store.ts'
import { meters } from '#lib/telemetry/spans.ts'
import { claimsIn, codeFlow, type Granted } from '#lib/testing/code-flow.ts'
import { FailingStore } from '#lib/testing/failing-store.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { type TestService, testService } from '#lib/testing/test-service.ts'
import { openForTest } from '#lib/testing/test-sessions.ts'
import { findKnownPerson } from './attempts.ts'
import type { IdTokenClaims } from './provider-token.ts'
import { type SignIn, signInWithPassword, signInWithSso } from './sign-in.ts'

vi.mock('next/headers', () => ({
  headers: async () => new Headers({ 'user-agent': 'a browser', 'x-forwarded-for': '198.51.100.1, 203.0.113.7' }),
}))

const revocations = vi.hoisted((): Promise<string>[] => [])
vi.mock('#lib/session/vault/revoke-ended.ts', async (load) => {
  const real = await load<typeof revokeEnded>()
  const revoke: typeof real.revoke = (...given) => {
    const revocation = real.revoke(...given)
    revocations.push(revocation)
    return revocation
  }
  return { ...real, revoke }
})

const PASSWORD = 'Sandbox-Pass-1'
const HOLDERS = ['ana@example.com', 'ben@example.com', 'cleo@example.com', 'dario@example.com']
const OPERATORS = ['operator@example.com', 'arbitrator@example.com', 'admin@example.com', 'newcomer@example.com']
const VIEWER = 'viewer@example.com'

let service: TestService

const configure = (change: Readonly<Record<string, string>> = {}) =>
  freshConsole({ CORE_API_URL: service.url, OIDC_ISSUER: `${service.url}/idp`, ...change })

beforeAll(async () => {
  service = await testService()
})
beforeEach(async () => {
  putPerProcess('sign-in brake', undefined)
  await configure()
})

/** As the code flow hands over what it has verified. */
const withSso = async (email: string, change: (granted: Granted, claims: IdTokenClaims) => void = () => {}) => {
  const granted = await codeFlow(service.url, email)
  const claims = claimsIn(granted.id_token) as IdTokenClaims
  change(granted, claims)
  const { access_token: accessToken, refresh_token: refreshToken, id_token: idToken } = granted
  const now = Date.now()
  const endsAt = new Date(now + granted.expires_in * 1000).toISOString()
  const tokens = { accessToken, refreshToken, receivedAt: new Date(now).toISOString(), endsAt }
  return await signInWithSso({ tokens, idToken, claims })
}
const withPassword = (email: string) => signInWithPassword(email, PASSWORD)
const rows = async () => await (await store()).selectFrom('session').selectAll().execute()
const outcome = (result: SignIn) => (result.ok ? 'in' : result.why)

describe('single sign-on, where a claim decides', () => {
  test.each([...OPERATORS, VIEWER])('lets %s in', async (email) => {
    const result = await withSso(email)
    expect(outcome(result)).toBe('in')
    const session = await openForTest(result.ok ? result.handle : '')
    expect(session).toMatchObject({ displayName: email, admittedBy: 'claim', method: 'sso' })
  })

  test.each(HOLDERS)('refuses %s, and makes no session', async (email) => {
    expect(outcome(await withSso(email))).toBe('not-staff')
    expect(await rows()).toEqual([])
  })

  test('asks the service nothing: no scope lets in whom the claim does not', async () => {
    const why = await withSso(OPERATORS[0] ?? '', (_granted, claims) => Object.assign(claims, { groups: ['others'] }))
    expect(outcome(why)).toBe('not-staff')
  })

  test('revokes the refresh token of somebody refused', async () => {
    let refreshToken = ''
    await withSso('ana@example.com', (granted) => {
      refreshToken = granted.refresh_token
    })
    expect(await revocations.at(-1)).toBe('answered')
    const response = await fetch(`${service.url}/idp/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('operator-console:sandbox-console-secret')}` },
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken }),
    })
    expect(response.status).toBe(400)
  })

  test('revokes the refresh token if the session is not saved', async () => {
    const before = await service.arrived('POST', '/idp/token/revocation')
    const { failing, remove } = await FailingStore.install()
    const signIn = async () => expect(outcome(await withSso('operator@example.com'))).toBe('not-saved')
    expect(await failing.live(1, 'before', signIn)).toBe(true)
    remove()
    await expect.poll(() => service.arrived('POST', '/idp/token/revocation')).toBe(before + 1)
  })

  test.each([
    ['refused', { groups: ['others'] }, 'not-staff'],
    ['without a user id', { sub: '' }, 'sso-failed'],
  ])('keeps a grant that another session shares, if somebody is %s', async (_who, claims, why) => {
    const shared = { sid: 'a session at the provider' }
    const signIn = (more: object) =>
      withSso(OPERATORS[0] ?? '', (_granted, given) => Object.assign(given, { ...shared, ...more }))
    expect(outcome(await signIn({}))).toBe('in')
    expect(outcome(await signIn(claims))).toBe(why)
    expect(await revocations.at(-1)).toBe('nothing')
  })

  test.each(['before', 'after'] as const)('leaves no session if it is not saved: %s', async (failure) => {
    for (let [failAt, failed] = [1, true]; failed; failAt += 1) {
      await configure()
      let why = ''
      const { failing, remove } = await FailingStore.install()
      failed = await failing.live(failAt, failure, async () => {
        why = outcome(await withSso(OPERATORS[0] ?? '', (_granted, given) => Object.assign(given, { sid: 'sid' })))
      })
      remove()
      if (why === 'in') continue
      expect([why, await rows(), await revocations.at(-1)]).toEqual(['not-saved', [], 'answered'])
    }
  })

  test('keeps a grant that may be shared during an outage', async () => {
    const signIn = () => withSso(OPERATORS[0] ?? '', (_granted, given) => Object.assign(given, { sid: 'shared' }))
    expect(outcome(await signIn())).toBe('in')
    const { failing, remove } = await FailingStore.install()
    await failing.live(1, 'out', async () => expect(outcome(await signIn())).toBe('not-saved'))
    expect(await revocations.at(-1)).toBe('nothing')
    remove()
  })
})

describe('single sign-on, where scopes decide', () => {
  beforeEach(async () => {
    await configure({ STAFF_CLAIM: '' })
  })

  test.each(OPERATORS)('lets %s in', async (email) => {
    expect(outcome(await withSso(email))).toBe('in')
  })

  test.each([...HOLDERS, VIEWER])('refuses %s', async (email) => {
    expect(outcome(await withSso(email))).toBe('not-staff')
    expect(await rows()).toEqual([])
  })

  test.each([500, 403, 404])('a failed read (%i) says nothing about the person, and lets nobody in', async (status) => {
    const { sub } = claimsIn((await codeFlow(service.url, 'operator@example.com')).id_token)
    await service.fault('GET', `/api/v1/Users/${String(sub)}/scopes`, { status })
    expect(outcome(await withSso('operator@example.com'))).toBe('unchecked')
    expect(await rows()).toEqual([])
  })
})

describe('a password', () => {
  test.each(OPERATORS)('lets %s in, whose id is known', async (email) => {
    const result = await withPassword(email)
    const session = await openForTest(result.ok ? result.handle : '')
    expect(session).toMatchObject({ displayName: email, admittedBy: 'scopes', actor: `sso:${session?.userId}` })
    const { accessToken } = await service.login(email)
    const { sub } = await service.call('GET', '/idp/me', { token: accessToken })
    expect(session.userId).toBe(sub)
  })

  test.each([...HOLDERS, VIEWER])('refuses %s', async (email) => {
    expect(outcome(await withPassword(email))).toBe('not-staff')
    expect(await rows()).toEqual([])
  })

  test.each([
    ['refuses', '/idp/me', { status: 401 }],
    ['is out', '/idp/me', { status: 503 }],
  ])('lets nobody in when the identity provider %s', async (_what, path, effect) => {
    await service.fault('GET', path, effect)
    expect(outcome(await withPassword('operator@example.com'))).toBe('unidentified')
    expect(await rows()).toEqual([])
  })
})

test('three wrong passwords hold an account off, whether or not there is one; the service is not asked again', async () => {
  const wrong = (email: string) => signInWithPassword(email, 'Wrong-Pass-1')
  for (const email of ['dario@example.com', 'nobody@example.com']) {
    for (let n = 0; n < 3; n += 1) expect(await wrong(email)).toEqual({ ok: false, why: 'wrong' })
    const before = await service.arrived('POST', '/api/v1/Users/login')
    expect(await wrong(email)).toMatchObject({ ok: false, why: 'wait', seconds: expect.any(Number) })
    expect(await service.arrived('POST', '/api/v1/Users/login')).toBe(before)
  }
})

describe('a refused password', () => {
  test('is logged by a mark of its account, and counted', async () => {
    let printed = ''
    const lines = new Writable({
      write(chunk, _encoding, done) {
        printed += chunk
        done()
      },
    })
    putPerProcess('log', pino(LINES, lines))
    const passwordSignIn = vi.fn()
    putPerProcess('meters', { ...meters(), passwordSignIn })
    await signInWithPassword('somebody@example.com', 'Wrong-Canary-1')
    await signInWithPassword(' Somebody@Example.com', 'Wrong-Canary-1')
    await signInWithPassword('nobody@example.com', 'Wrong-Canary-1')
    await withPassword('operator@example.com')
    putPerProcess('meters', undefined)
    const refusals = printed
      .split('\n')
      .filter((line) => line.includes('"refused"'))
      .map((line) => JSON.parse(line) as { refused: string; account: string })
    expect(refusals.map(({ refused }) => refused)).toEqual(['wrong', 'wrong', 'wrong'])
    const [one, again, other] = refusals.map(({ account }) => account)
    expect([one, other]).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/), expect.not.stringContaining(one ?? '')])
    expect(again).toBe(one)
    expect(printed).not.toMatch(/example\.com|canary/i)
    expect(passwordSignIn.mock.calls.flat()).toEqual(['wrong', 'wrong', 'wrong', 'right'])
  })

  test('writes no more than sixty lines a minute', () => {
    putPerProcess('logged refused passwords', undefined)
    const may = Array.from({ length: 100 }, () => mayLog('refused passwords', 60))
    expect(may.filter(Boolean)).toHaveLength(60)
  })
})

test('knows who was let in by either way, and nobody else', async () => {
  const isKnown = async (account: string) => (await findKnownPerson(await store(), account)) !== null
  await withSso('operator@example.com')
  await withPassword('Admin@example.com')
  await withPassword('ana@example.com')
  await signInWithPassword('arbitrator@example.com', 'Wrong-Pass-1')
  const people = ['operator', 'admin', 'ana', 'arbitrator'].map((name) => isKnown(`${name}@example.com`))
  expect(await Promise.all(people)).toEqual([true, true, false, false])
})

describe('what single sign-on gives', () => {
  test.each([
    [{ email_verified: false }, 'Operator Olsen'],
    [{ email_verified: 'true' }, 'Operator Olsen'],
    [{ email_verified: false, name: undefined }, 'operator'],
    [{ email_verified: undefined, name: undefined, preferred_username: '' }, '0000'],
  ])('an address that is not verified is not shown: %j', async (change, shown) => {
    const result = await withSso('operator@example.com', (_granted, claims) => Object.assign(claims, change))
    const session = await openForTest(result.ok ? result.handle : '')
    expect(session.displayName).not.toContain('@')
    expect(session.displayName).toMatch(new RegExp(`^${shown}`))
  })

  test.each([
    ['absent', undefined],
    ['not-text', 7],
  ])('refuses a user id that is %s, revoking its token', async (_shape, sub) => {
    await configure({ OIDC_USER_ID_CLAIM: 'wallet_id' })
    const before = await service.arrived('POST', '/idp/token/revocation')
    const result = await withSso('operator@example.com', (_granted, claims) =>
      Object.assign(claims, { wallet_id: sub }),
    )
    expect(outcome(result)).toBe('sso-failed')
    await expect.poll(() => service.arrived('POST', '/idp/token/revocation')).toBe(before + 1)
  })
})

test('where a session comes from is what a proxy of ours says, and nothing without one', async () => {
  await withSso('operator@example.com')
  expect((await rows()).map(({ address }) => address)).toEqual([null])
  await configure({ BEHIND_PROXY: 'on' })
  await withSso('operator@example.com')
  await withPassword('operator@example.com')
  expect((await rows()).map(({ address }) => address)).toEqual(['203.0.113.7', '203.0.113.7'])
})

describe('how people have to sign in', () => {
  test('who signed in otherwise is refused, their tokens are revoked, and the audit trail has it', async () => {
    await configure({ OIDC_ACR_VALUES: 'urn:strong' })
    putPerProcess('refused sign-ins', undefined)
    const before = await service.arrived('POST', '/idp/token/revocation')
    expect(outcome(await withSso('operator@example.com'))).toBe('sign-in-class')
    expect(await rows()).toEqual([])
    await expect.poll(() => service.arrived('POST', '/idp/token/revocation')).toBe(before + 1)
    const told = await (await store()).selectFrom('audit_entry').select('facts').execute()
    expect(told).toEqual([{ facts: JSON.stringify({ why: 'sign-in-class' }) }])
  })

  test('who signed in as asked is let in, and the rule is kept with the session', async () => {
    await configure({ OIDC_ACR_VALUES: 'urn:other urn:strong' })
    const strong = (_granted: unknown, claims: object) => Object.assign(claims, { acr: 'urn:strong' })
    expect(outcome(await withSso('operator@example.com', strong))).toBe('in')
    expect((await rows())[0]?.admitted_by).toContain('acr=urn:strong')
  })
})

test('the claim that makes an administrator is kept with the session, and is nobody else’s', async () => {
  await configure({ STAFF_ADMIN_CLAIM: 'groups=console-admins' })
  for (const email of ['admin@example.com', 'operator@example.com']) {
    const result = await withSso(email)
    const session = await openForTest(result.ok ? result.handle : '')
    expect(session.adminByClaim, email).toBe(email.startsWith('admin'))
  }
})

describe('the audit trail', () => {
  const told = async () => {
    const found = await (await store()).selectFrom('audit_entry').selectAll().orderBy('at').execute()
    const whyIn = (facts: string) => (JSON.parse(facts) as { why?: string }).why
    return found.map(({ kind, method, actor_name, facts }) => [kind, method, actor_name, whyIn(facts)])
  }
  beforeEach(() => putPerProcess('refused sign-ins', undefined))

  test('has each sign-in with its way, and who was refused as no staff, once a minute', async () => {
    await withSso('operator@example.com')
    await withPassword('admin@example.com')
    await withSso('ana@example.com')
    await withSso('ana@example.com')
    await withPassword('ana@example.com')
    expect(await told()).toEqual([
      ['session.sign-in', 'sso', 'operator@example.com', undefined],
      ['session.sign-in', 'password', 'admin@example.com', undefined],
      ['session.refused', 'sso', 'ana@example.com', 'not-staff'],
      ['session.refused', 'password', 'ana@example.com', 'not-staff'],
    ])
  })

  test('has a wrong password of somebody who has signed in before, and nothing of any other text', async () => {
    await withSso('operator@example.com')
    await signInWithPassword(' Operator@Example.com ', 'wrong-canary')
    await signInWithPassword('typed-into-the-wrong-field', 'wrong-canary')
    expect((await told()).slice(1)).toEqual([['session.refused', 'password', 'operator@example.com', 'wrong']])
    expect(JSON.stringify(await (await store()).selectFrom('audit_entry').selectAll().execute())).not.toMatch(
      /canary|wrong-field/,
    )
  })
})
