import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { putPerProcess } from '#lib/config/per-process.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { rowOf } from '#lib/testing/signed-in.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import { type Answer, TokenEndpoint } from '#lib/testing/token-endpoint.ts'
import { checkSession, watchUserinfo } from './userinfo-check.ts'

const SUBJECT = 'subject-1'

let provider: TokenEndpoint
let printed: string[]

beforeAll(async () => {
  provider = await TokenEndpoint.start()
})
afterAll(() => provider.stop())

beforeEach(async () => {
  await configure()
  provider.reset()
  for (const name of ['userinfo answered', 'identity provider', 'access tokens']) putPerProcess(name, undefined)
})

async function configure(change: Readonly<Record<string, string>> = {}): Promise<void> {
  await freshConsole({ OIDC_ISSUER: provider.issuer, CORE_API_URL: provider.url, ...change })
  printed = []
  putPerProcess('log', pino({}, { write: (line: string) => void printed.push(line) }))
}

const signedIn = async (method: 'sso' | 'password' = 'sso'): Promise<Session> =>
  await openForTest(await signInForTest({ idpSubject: SUBJECT, admittedBy: 'claim', method }))

const claims = (more: object = {}): Answer => ({ status: 200, body: JSON.stringify({ sub: SUBJECT, ...more }) })
const answer = (given: Answer) => {
  provider.userinfo = () => given
}

async function whyEnded(session: Session): Promise<string | null> {
  await checkSession(session)
  expect(printed.join('')).not.toMatch(/canary|access-\d|refresh-\d|subject-1/)
  if ((await rowOf(session)) !== undefined) return null
  const entries = await (await store())
    .selectFrom('audit_entry')
    .select('facts')
    .where('kind', '=', 'session.end')
    .execute()
  return entries.map(({ facts }) => String((JSON.parse(facts) as { why: string }).why)).join()
}

test.each<[string, Answer, string | null]>([
  ['names the same person', claims(), null],
  ['has the staff claim', claims({ groups: ['console-viewers'] }), null],
  ['has another staff claim', claims({ groups: ['canary'] }), 'not-staff'],
  ['has an empty staff claim', claims({ groups: [] }), 'not-staff'],
  ['names somebody else', claims({ sub: 'canary' }), 'identity-changed'],
  ['is out', { status: 503 }, null],
  ['is limited', { status: 429 }, null],
  ['sends a page', { status: 200, body: '<html>canary' }, null],
  ['names nobody', { status: 200, body: '{}' }, null],
  ['redirects', { status: 302 }, null],
])('userinfo that %s', async (_what, given, why) => {
  answer(given)
  expect(await whyEnded(await signedIn())).toBe(why)
})

test('ends the session of a person whose tokens are renewed and refused', async () => {
  answer({ status: 401 })
  expect(await whyEnded(await signedIn())).toBe('refused')
  expect(provider.refreshes).toBe(1)
})

test('keeps a session whose renewed token is accepted', async () => {
  provider.userinfo = (token) => (token === 'access-1' ? claims() : { status: 401 })
  expect(await whyEnded(await signedIn())).toBeNull()
})

describe.each([400, 403, 404, 410])('a refusal with %i', (status) => {
  test('ends a session only after userinfo has answered once', async () => {
    const [one, other] = [await signedIn(), await signedIn()]
    answer({ status })
    expect(await whyEnded(one)).toBeNull()
    answer(claims())
    expect(await whyEnded(other)).toBeNull()
    answer({ status })
    expect(await whyEnded(one)).toBe('refused')
  })
})

test('looks at every single sign-on session, again and again', async () => {
  await configure({ OIDC_USERINFO_MINUTES: '5' })
  const sessions = [await signedIn(), await signedIn(), await signedIn('password')]
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const requests: string[] = []
    provider.userinfo = (token) => {
      requests.push(token)
      return claims()
    }
    watchUserinfo()
    await vi.advanceTimersByTimeAsync(299_000)
    expect(requests).toHaveLength(0)
    await vi.advanceTimersByTimeAsync(1_000)
    await vi.waitFor(() => expect(requests).toHaveLength(2))
  } finally {
    vi.useRealTimers()
    putPerProcess('userinfo checks', undefined)
  }
  expect(await Promise.all(sessions.map(rowOf))).not.toContain(undefined)
})

test('is off unless OIDC_USERINFO_MINUTES is set', () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  try {
    watchUserinfo()
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})
