import { randomUUID } from 'node:crypto'
import { expect } from '../support/fixtures.ts'
import { type Answer, ask, CookieJar, expectGuarded, FORM_BODY, HANDLE, isSignedIn } from './http.ts'
import type { MutableProvider, Mutation } from './provider.ts'
import { begin, comeBack, test } from './provider-console.ts'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const now = (): number => Math.floor(Date.now() / 1000)

const tell = (consoleUrl: string, body: string): Promise<Answer> =>
  ask(consoleUrl, { method: 'POST', path: '/api/session/back-channel-logout', headers: FORM_BODY, body })

/** A logout token that is right in all but what is changed. */
function logoutToken(provider: MutableProvider, sid: string, { claims = {}, header = {}, key }: Mutation = {}): string {
  const usual = { iss: provider.issuer, aud: 'operator-console', iat: now(), exp: now() + 120, jti: randomUUID(), sid }
  return provider.sign(
    { ...usual, events: { [EVENT]: {} }, ...claims },
    { header: { typ: 'logout+jwt', ...header }, ...(key && { key }) },
  )
}

const spoiled: readonly (readonly [what: string, mutation: (provider: MutableProvider) => Mutation])[] = [
  ['the key of somebody else', ({ keys }) => ({ key: keys.strangers.privateKey })],
  ['no signature', () => ({ header: { alg: 'none' } })],
  ['the client’s secret for a key', () => ({ header: { alg: 'HS256' } })],
  ['an unknown key', () => ({ header: { kid: 'another' } })],
  ['another issuer', () => ({ claims: { iss: 'https://elsewhere.example' } })],
  ['another audience', () => ({ claims: { aud: 'another' } })],
  ['a nonce', () => ({ claims: { nonce: 'n' } })],
  ['no events', () => ({ claims: { events: undefined } })],
  ['another event', () => ({ claims: { events: { 'http://schemas.openid.net/event/other': {} } } })],
  ['an age of three minutes', () => ({ claims: { iat: now() - 180, exp: now() + 60 } })],
  ['a time of issue that is to come', () => ({ claims: { iat: now() + 240, exp: now() + 360 } })],
  ['an end that has passed', () => ({ claims: { exp: now() - 150 } })],
  ['no id of its own', () => ({ claims: { jti: undefined } })],
  ['the type of an access token', () => ({ header: { typ: 'at+jwt' } })],
  ['neither session nor subject', () => ({ claims: { sid: undefined } })],
]

async function signedIn(consoleUrl: string, provider: MutableProvider, sid: string): Promise<string> {
  provider.mutation = { claims: { sid } }
  const { jar, address } = await begin(consoleUrl)
  const back = await comeBack(consoleUrl, jar, provider.authorize(address))
  provider.mutation = {}
  const kept = new CookieJar()
  kept.take(back)
  return kept.values.get(HANDLE) ?? ''
}

test('ends a session for a genuine logout token only, once', {
  tag: '@long',
}, async ({ consoleUrl, provider }) => {
  const [sid, otherSid] = [randomUUID(), randomUUID()]
  const [handle, other] = [await signedIn(consoleUrl, provider, sid), await signedIn(consoleUrl, provider, otherSid)]
  for (const [what, mutation] of spoiled) {
    const answer = await tell(consoleUrl, `logout_token=${logoutToken(provider, sid, mutation(provider))}`)
    expect([answer.status, JSON.parse(answer.text).error], what).toEqual([400, 'invalid_request'])
    expectGuarded(answer, what)
  }
  const right = logoutToken(provider, sid)
  // It is said by the body alone: not in the address, and not beside a second one.
  for (const [path, body] of [
    [`/api/session/back-channel-logout?logout_token=${right}`, ''],
    ['/api/session/back-channel-logout', `logout_token=${right}&logout_token=${right}`],
  ] as const) {
    expect((await ask(consoleUrl, { method: 'POST', path, headers: FORM_BODY, body })).status).toBe(400)
  }
  expect(await isSignedIn(consoleUrl, handle)).toBe(true)

  const ends = await Promise.all(Array.from({ length: 5 }, () => tell(consoleUrl, `logout_token=${right}`)))
  expect(ends.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400])
  expect(await isSignedIn(consoleUrl, handle)).toBe(false)
  expect(await isSignedIn(consoleUrl, other)).toBe(true)
  // Signed in again with the same session of the provider, the token of before ends nothing.
  const again = await signedIn(consoleUrl, provider, sid)
  expect((await tell(consoleUrl, `logout_token=${right}`)).status).toBe(400)
  expect(await isSignedIn(consoleUrl, again)).toBe(true)
})
