import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { endedAsNoStaff } from '#lib/session/end-session.ts'
import { store } from '#lib/store/store.ts'
import { FailingStore } from '#lib/testing/failing-store.ts'
import { expireAccess, rowOf } from '#lib/testing/signed-in.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import { TokenEndpoint } from '#lib/testing/token-endpoint.ts'
import { accessToken } from './access-token.ts'
import { revokeAtEnds } from './revoke-ended.ts'
import { tokensOf } from './vault.ts'

const SUBJECT = 'subject-1'

let provider: TokenEndpoint
let stranger: TokenEndpoint

beforeAll(async () => {
  ;[provider, stranger] = [await TokenEndpoint.start(), await TokenEndpoint.start()]
  await Promise.all([provider.publishKeys('RS256'), stranger.publishKeys('RS256')])
})
afterAll(() => Promise.all([provider.stop(), stranger.stop()]))
beforeEach(() => revokeAtEnds())
beforeEach(async () => {
  provider.reset()
  await freshConsole({ OIDC_ISSUER: provider.issuer, CORE_API_URL: provider.url })
})

const idToken = (claims: Readonly<Record<string, unknown>>) => provider.sign(claims)

/** What comes of a refresh with which this ID token comes. */
async function renewWith(token: string, admittedBy: 'claim' | 'scopes' = 'claim') {
  if (admittedBy === 'scopes') {
    await freshConsole({ OIDC_ISSUER: provider.issuer, CORE_API_URL: provider.url, STAFF_CLAIM: '' })
  }
  const session = await openForTest(await signInForTest({ idpSubject: SUBJECT, admittedBy }))
  await expireAccess(session)
  provider.more = { id_token: token }
  return { session, answer: await accessToken(session) }
}

test.each([
  ['without the claim', {}],
  ['with other groups', { groups: ['wallet-users'] }],
])('a renewed ID token %s ends the session, and its tokens are revoked', async (_what, claims) => {
  const { session, answer } = await renewWith(await idToken(claims))
  expect(answer).toEqual({ ok: false, why: 'over' })
  expect([await rowOf(session), endedAsNoStaff(session.id)]).toEqual([undefined, true])
  await expect.poll(() => provider.revoked).toEqual(['refresh-1'])
})

const staff = { groups: ['console-viewers'] }

test.each([
  ['of another subject', () => idToken({ ...staff, sub: 'somebody else' })],
  ['of another subject, with a strange key', () => stranger.sign({ iss: provider.issuer, sub: 'somebody else' })],
  ['of another issuer, with a strange key', () => stranger.sign(staff)],
  ['for another client, with a strange key', () => stranger.sign({ iss: provider.issuer, aud: 'another' })],
  ['of another issuer', () => idToken({ ...staff, iss: 'https://elsewhere.example' })],
  ['for another client', () => idToken({ ...staff, aud: 'another' })],
  ['for several clients', () => idToken({ ...staff, aud: ['operator-console', 'another'] })],
  ['authorized for another client', () => idToken({ ...staff, azp: 'another' })],
])('ends the session by a renewed ID token %s', async (_what, token) => {
  const { session, answer } = await renewWith(await token())
  expect(answer).toEqual({ ok: false, why: 'over' })
  expect(await rowOf(session)).toBeUndefined()
  const ends = await (await store())
    .selectFrom('audit_entry')
    .select('facts')
    .where('kind', '=', 'session.end')
    .execute()
  expect(ends.map(({ facts }) => JSON.parse(facts).why)).toEqual(['identity-changed'])
  await expect.poll(() => provider.revoked).toContain('refresh-1')
})

test('never stores tokens that name another subject', async () => {
  const session = await openForTest(await signInForTest({ idpSubject: SUBJECT }))
  await expireAccess(session)
  const db = await store()
  await sql`CREATE TABLE seen_serial (serial int)`.execute(db)
  try {
    await sql`CREATE RULE see_serial AS ON UPDATE TO session DO ALSO INSERT INTO seen_serial VALUES (NEW.token_serial)`.execute(
      db,
    )
    provider.more = { id_token: await idToken({ sub: 'somebody else' }) }
    expect(await accessToken(session)).toEqual({ ok: false, why: 'over' })
    const { rows } = await sql<{ serial: number }>`SELECT DISTINCT serial FROM seen_serial`.execute(db)
    expect(rows).toEqual([{ serial: 1 }])
  } finally {
    await sql`DROP RULE IF EXISTS see_serial ON session`.execute(db)
    await sql`DROP TABLE seen_serial`.execute(db)
  }
})

const now = (): number => Math.floor(Date.now() / 1000)

test.each([
  ['that still marks staff', () => idToken({ groups: ['console-viewers', 7] })],
  ['of a clock that is ahead', () => idToken({ groups: ['console-viewers'], nbf: now() + 110, iat: now() + 110 })],
  ['that another key signed', () => stranger.sign({ iss: provider.issuer, groups: [] })],
  ['that another key signed, of an issuer with a slash', () => stranger.sign({ iss: `${provider.issuer}/` })],
  [
    'that another key signed, of an issuer spelled differently',
    () => stranger.sign({ iss: provider.issuer.replace(/:(\d+)/, ':0$1') }),
  ],
  ['without a subject', () => idToken({ groups: [], sub: undefined })],
  ['that has ended', () => idToken({ exp: now() - 600 })],
  ['without an end', () => idToken({ exp: undefined })],
  ['that is none', async () => 'nonsense'],
])('keeps the session by one %s', async (_what, token) => {
  const { session, answer } = await renewWith(await token())
  expect(answer).toEqual({ ok: true, token: 'access-1' })
  expect(tokensOf(session, (await rowOf(session))!)).toMatchObject({ refreshToken: 'refresh-1' })
})

test('where scopes decide, no claim ends anything', async () => {
  const { answer } = await renewWith(await idToken({}), 'scopes')
  expect(answer).toMatchObject({ ok: true })
})

test.each([
  [['console-operators'], false],
  [['console-operators', 'console-admins'], true],
])('a renewed ID token with the groups %j decides anew who administers', async (groups, administers) => {
  const settings = {
    OIDC_ISSUER: provider.issuer,
    CORE_API_URL: provider.url,
    STAFF_ADMIN_CLAIM: 'groups=console-admins',
  }
  await freshConsole(settings)
  const handle = await signInForTest({ idpSubject: SUBJECT, administers: !administers })
  const session = await openForTest(handle)
  expect(session.adminByClaim).toBe(!administers)
  await expireAccess(session)
  provider.more = { id_token: await idToken({ groups }) }
  expect(await accessToken(session)).toMatchObject({ ok: true })
  expect((await openForTest(handle)).adminByClaim).toBe(administers)
})

test('applies a renewed ID token although the store fails', async () => {
  const settings = { OIDC_ISSUER: provider.issuer, CORE_API_URL: provider.url }
  await freshConsole({ ...settings, STAFF_ADMIN_CLAIM: 'groups=console-admins' })
  for (const [groups, left] of [
    [['wallet-users'], undefined],
    [['console-viewers'], null],
  ] as const) {
    for (let [failAt, failed] = [1, true]; failed; failAt += 1) {
      provider.reset()
      const session = await openForTest(await signInForTest({ idpSubject: SUBJECT, administers: true }))
      await expireAccess(session)
      provider.more = { id_token: await idToken({ groups }) }
      const { failing, remove } = await FailingStore.install()
      failed = await failing.live(failAt, 'out', () => accessToken(session))
      remove()
      await accessToken(session)
      expect((await rowOf(session))?.admin_rule).toBe(left)
    }
  }
})
