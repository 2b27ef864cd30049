import { type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dropEndedSessions } from '#lib/session/live-sessions.ts'
import { openSession } from '#lib/session/vault/vault.ts'
import { store } from '#lib/store/store.ts'
import { FailingStore } from '#lib/testing/failing-store.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { signInForTest } from '#lib/testing/test-sessions.ts'
import { TokenEndpoint } from '#lib/testing/token-endpoint.ts'
import { announce, consume, handleLogoutToken } from './back-channel-logout.ts'

const CLIENT_SECRET = 'sandbox-console-secret'
const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} }

let provider: TokenEndpoint
let stranger: TokenEndpoint

beforeAll(async () => {
  ;[provider, stranger] = [await TokenEndpoint.start(), await TokenEndpoint.start()]
  await Promise.all([provider.publishKeys('RS256', 'ES256'), stranger.publishKeys('RS256')])
})
afterAll(() => Promise.all([provider.stop(), stranger.stop()]))

beforeEach(async () => {
  await freshConsole({ OIDC_ISSUER: provider.issuer, OIDC_CLIENT_SECRET: CLIENT_SECRET })
})

const now = (): number => Math.floor(Date.now() / 1000)

interface Change {
  /** Undefined removes a claim. */
  readonly claims?: Readonly<Record<string, unknown>>
  readonly header?: Partial<JWTHeaderParameters>
  readonly by?: TokenEndpoint
  readonly secret?: Uint8Array
}

/** A logout token that is right in everything but what is changed. */
function logoutToken({ claims = {}, header = {}, by = provider, secret }: Change = {}): Promise<string> {
  const payload = {
    iss: provider.issuer,
    exp: now() + 120,
    jti: crypto.randomUUID(),
    events: EVENTS,
    sid: 'sid-1',
    ...claims,
  }
  const protectedHeader = { typ: 'logout+jwt', ...header }
  if (secret === undefined) return by.sign(payload, protectedHeader)
  return new SignJWT(payload as JWTPayload).setProtectedHeader({ alg: 'HS256', ...protectedHeader }).sign(secret)
}

interface RedeemedAt {
  readonly issuedAt: number
  readonly receivedAt: string
}

const signIn = (idpSid: string | null, idpSubject: string | null, redeemed?: RedeemedAt): Promise<string> => {
  const { issuedAt, receivedAt = new Date().toISOString() } = redeemed ?? {}
  const endsAt = new Date(Date.now() + 600_000).toISOString()
  const tokens = { accessToken: 'access', refreshToken: 'refresh', receivedAt, endsAt }
  return signInForTest({ idpSid, idpSubject, idTokenIssuedAt: issuedAt, tokens, actor: `sso:${crypto.randomUUID()}` })
}

const isSignedIn = async (handle: string): Promise<boolean> => (await openSession(handle)) !== null

test('by `sid` the sessions of that sign-in end, and no others of the same person', async () => {
  const handles = [await signIn('sid-1', 'subject-1'), await signIn('sid-1', 'subject-1')]
  const others = [await signIn('sid-2', 'subject-1'), await signIn(null, 'subject-1'), await signIn(null, null)]
  expect(await handleLogoutToken(await logoutToken())).toBe('done')
  expect(await Promise.all(handles.map(isSignedIn))).toEqual([false, false])
  expect(await Promise.all(others.map(isSignedIn))).toEqual([true, true, true])
})

test('by `sub` alone all sessions of that person end', async () => {
  const handles = [await signIn('sid-1', 'subject-1'), await signIn(null, 'subject-1')]
  const other = await signIn('sid-1', 'subject-2')
  expect(await handleLogoutToken(await logoutToken({ claims: { sid: undefined } }))).toBe('done')
  expect(await Promise.all(handles.map(isSignedIn))).toEqual([false, false])
  expect(await isSignedIn(other)).toBe(true)
})

test('a session that nobody has here is no fault', async () => {
  expect(await handleLogoutToken(await logoutToken({ claims: { sid: 'unknown' } }))).toBe('done')
})

describe('a sign-in under way', () => {
  test.for<[what: string, claims: Change['claims'], issuedLater: number, isEnded: boolean]>([
    ['ended by its `sid`', {}, 0, true],
    ['ended by its `sub` alone', { sid: undefined }, 0, true],
    ['whose ID token is newer is kept', {}, 1, false],
    ['whose ID token is newer is kept, by `sub`', { sid: undefined }, 1, false],
    ['of another `sid` is kept', { sid: 'sid-2' }, 0, false],
    ['of another `sub` is kept', { sid: undefined, sub: 'subject-2' }, 0, false],
  ])('%s', async ([_what, claims, issuedLater, isEnded]) => {
    const [iat, receivedAt] = [now(), new Date().toISOString()]
    expect(await handleLogoutToken(await logoutToken({ claims: { iat, ...claims } }))).toBe('done')
    expect(await isSignedIn(await signIn('sid-1', 'subject-1', { issuedAt: iat + issuedLater, receivedAt }))).toBe(
      !isEnded,
    )
  })

  test.each([
    ['keeps one that began later in the same second', 0, true],
    ['ends one that began later, if its ID token is older', -1, false],
  ])('%s', async (_what, issuedLater, isKept) => {
    const iat = now()
    expect(await handleLogoutToken(await logoutToken({ claims: { iat } }))).toBe('done')
    const receivedAt = new Date(Date.now() + 1).toISOString()
    const handle = await signIn('sid-1', 'subject-1', { issuedAt: iat + issuedLater, receivedAt })
    expect(await isSignedIn(handle)).toBe(isKept)
  })

  test('ends whichever is saved first', async () => {
    for (let round = 0; round < 20; round += 1) {
      const [sid, redeemed] = [`sid-${round}`, { issuedAt: now() - 1, receivedAt: new Date().toISOString() }]
      const token = await logoutToken({ claims: { sid } })
      const [handle] = await Promise.all([signIn(sid, 'subject-1', redeemed), handleLogoutToken(token)])
      expect(await isSignedIn(handle)).toBe(false)
    }
  })
})

test('a logout token can come again after a failure', async () => {
  const [handle, token] = [await signIn('sid-1', 'subject-1'), await logoutToken()]
  const { failing, remove } = await FailingStore.install()
  const refused = () => expect(handleLogoutToken(token)).rejects.toThrow()
  expect(await failing.live(3, 'out', refused)).toBe(true)
  remove()
  expect(await isSignedIn(handle)).toBe(true)
  expect(await handleLogoutToken(token)).toBe('done')
  expect(await isSignedIn(handle)).toBe(false)
})

const minutes = 60
const accepted: readonly (readonly [string, () => Change])[] = [
  ['type JWT, as older providers say', () => ({ header: { typ: 'JWT' } })],
  ['type in full and in capitals', () => ({ header: { typ: 'application/LOGOUT+JWT' } })],
  ['no type, which the specification leaves open', () => ({ header: { typ: undefined } })],
  ['one of several audiences', () => ({ claims: { aud: ['another', 'operator-console'] } })],
  ['no end', () => ({ claims: { exp: undefined } })],
  ['no subject', () => ({ claims: { sub: undefined } })],
  ['issued almost two minutes ago', () => ({ claims: { iat: now() - 2 * minutes + 5 } })],
  ['issued by a clock that is almost two minutes ahead', () => ({ claims: { iat: now() + 110, exp: now() + 230 } })],
  ['valid from almost two minutes ahead', () => ({ claims: { nbf: now() + 110 } })],
  ['a claim that nobody knows', () => ({ claims: { extra: 1 } })],
]

describe('a logout token is obeyed with', () => {
  test.each(accepted)('%s', async (_what, change) => {
    const handle = await signIn('sid-1', 'subject-1')
    expect(await handleLogoutToken(await logoutToken(change()))).toBe('done')
    expect(await isSignedIn(handle)).toBe(false)
  })
})

const refused: readonly (readonly [string, () => Change])[] = [
  ['signed by somebody else', () => ({ by: stranger })],
  [
    'a shared secret for a key, though discovery offers it',
    () => ({ secret: new TextEncoder().encode(CLIENT_SECRET.padEnd(32, '.')) }),
  ],
  ['an algorithm that discovery does not offer, with a key of the provider', () => ({ header: { alg: 'ES256' } })],
  ['the type of an access token', () => ({ header: { typ: 'at+jwt' } })],
  ['the type of another kind of event', () => ({ header: { typ: 'secevent+jwt' } })],
  ['another issuer', () => ({ claims: { iss: 'https://elsewhere.example' } })],
  ['no issuer', () => ({ claims: { iss: undefined } })],
  ['another audience', () => ({ claims: { aud: 'another' } })],
  ['no audience', () => ({ claims: { aud: undefined } })],
  ['issued more than two minutes ago', () => ({ claims: { iat: now() - 2 * minutes - 5, exp: now() + minutes } })],
  ['issued in the future', () => ({ claims: { iat: now() + 4 * minutes, exp: now() + 6 * minutes } })],
  ['valid from the future', () => ({ claims: { nbf: now() + 4 * minutes } })],
  ['no time of issue', () => ({ claims: { iat: undefined } })],
  ['a time of issue that is a text', () => ({ claims: { iat: String(now()) } })],
  ['an end that has passed', () => ({ claims: { exp: now() - 2 * minutes - 5 } })],
  ['no events', () => ({ claims: { events: undefined } })],
  ['another event', () => ({ claims: { events: { 'http://schemas.openid.net/event/other': {} } } })],
  ['an event that is no object', () => ({ claims: { events: { [Object.keys(EVENTS)[0]!]: true } } })],
  ['events in a list', () => ({ claims: { events: Object.keys(EVENTS) } })],
  ['a nonce, which makes it an ID token', () => ({ claims: { nonce: 'n' } })],
  ['an empty nonce', () => ({ claims: { nonce: null } })],
  ['neither session nor subject', () => ({ claims: { sid: undefined, sub: undefined } })],
  ['a session that is no text', () => ({ claims: { sid: ['sid-1'] } })],
  ['an empty session', () => ({ claims: { sid: '' } })],
  ['no id of its own', () => ({ claims: { jti: undefined } })],
  ['an id of its own that has no end', () => ({ claims: { jti: 'x'.repeat(5000) } })],
]

describe('a logout token is refused, and ends nothing, with', () => {
  test.each(refused)('%s', async (_what, change) => {
    const handle = await signIn('sid-1', 'subject-1')
    expect(await handleLogoutToken(await logoutToken(change()))).toBe('invalid')
    expect(await isSignedIn(handle)).toBe(true)
  })

  test('no signature at all', async () => {
    const handle = await signIn('sid-1', 'subject-1')
    const [, payload] = (await logoutToken()).split('.')
    for (const header of [{ alg: 'none' }, { alg: 'none', typ: 'logout+jwt' }]) {
      const unsigned = `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${payload}.`
      expect(await handleLogoutToken(unsigned)).toBe('invalid')
    }
    expect(await isSignedIn(handle)).toBe(true)
  })

  test('claims changed after it was signed', async () => {
    const handle = await signIn('sid-1', 'subject-1')
    const [header, , signature] = (await logoutToken({ claims: { sid: 'another' } })).split('.')
    const [, payload] = (await logoutToken()).split('.')
    expect(await handleLogoutToken(`${header}.${payload}.${signature}`)).toBe('invalid')
    expect(await isSignedIn(handle)).toBe(true)
  })

  test.each([[''], ['nonsense'], ['a.b.c'], ['a.b.c.d.e']])('the text %j', async (text) => {
    expect(await handleLogoutToken(text)).toBe('invalid')
  })
})

test('a logout token counts once, even when it arrives ten times at the same moment', async () => {
  const token = await logoutToken()
  const results = await Promise.all(Array.from({ length: 10 }, () => handleLogoutToken(token)))
  expect(results.filter((result) => result === 'done')).toHaveLength(1)
  const later = await signIn('sid-1', 'subject-1')
  expect(await handleLogoutToken(token)).toBe('invalid')
  expect(await isSignedIn(later)).toBe(true)
})

test('of ten processes that obeyed the same token one alone has spent it', async () => {
  const db = await store()
  await announce(db, { jti: 'once', sid: 'sid-1', sub: null, iat: now() })
  const spent = await Promise.all(Array.from({ length: 10 }, () => consume(db, 'once')))
  expect(spent.filter(Boolean)).toHaveLength(1)
})

test('used ids are forgotten when the tokens are too old to come back', async () => {
  const db = await store()
  await handleLogoutToken(await logoutToken({ claims: { jti: 'new' } }))
  await db
    .insertInto('logout_token')
    .values({ jti: 'old', kept_until: new Date(Date.now() - 1).toISOString() })
    .execute()
  await dropEndedSessions()
  expect(await db.selectFrom('logout_token').select('jti').execute()).toEqual([{ jti: 'new' }])
})

test('without the provider’s keys nobody can tell: nothing ends, and the token can come again', async () => {
  const out = await TokenEndpoint.start()
  try {
    const { jwks } = provider
    out.jwks = null
    await freshConsole({ OIDC_ISSUER: out.issuer })
    const handle = await signIn('sid-1', 'subject-1')
    const token = await logoutToken({ claims: { iss: out.issuer } })
    expect(await handleLogoutToken(token)).toBe('unavailable')
    expect(await isSignedIn(handle)).toBe(true)
    out.jwks = jwks
    expect(await handleLogoutToken(token)).toBe('done')
    expect(await isSignedIn(handle)).toBe(false)
  } finally {
    await out.stop()
  }
})

test('without the provider’s discovery document nobody can tell either', async () => {
  const gone = await TokenEndpoint.start()
  const { issuer } = gone
  await gone.stop()
  await freshConsole({ OIDC_ISSUER: issuer })
  expect(await handleLogoutToken(await logoutToken())).toBe('unavailable')
})
