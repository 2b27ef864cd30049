import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { peekPerProcess, perProcess, steadyNow } from '#lib/config/per-process.ts'
import { endSession } from '#lib/session/end-session.ts'
import { dropEndedSessions } from '#lib/session/live-sessions.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { FailingStore } from '#lib/testing/failing-store.ts'
import { expireAccess, rowOf, signedIn } from '#lib/testing/signed-in.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import { TokenEndpoint } from '#lib/testing/token-endpoint.ts'
import { accessToken, endRenewals } from './access-token.ts'
import { saveTokens, takeLease } from './session-table.ts'
import { boxFor, tokensOf } from './vault.ts'

let provider: TokenEndpoint

beforeAll(async () => {
  provider = await TokenEndpoint.start()
})
afterAll(() => provider.stop())

beforeEach(async () => {
  await freshConsole({ OIDC_ISSUER: provider.issuer, CORE_API_URL: provider.url })
  provider.reset()
})

afterEach(() => void vi.useRealTimers())

const passed = (ms: number): unknown => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })

const leaseAway = async (session: Session, endsAt: number, now = Date.now()): Promise<boolean> =>
  takeLease(await store(), {
    id: session.id,
    serial: 1,
    by: 'another process',
    now: new Date(now).toISOString(),
    endsAt: new Date(endsAt).toISOString(),
  })

/** Refreshes wait for an answer until the gate is opened. */
function closeGate(): () => void {
  let open = () => {}
  provider.gate = new Promise((done) => {
    open = done
  })
  return () => open()
}

const parallel = (session: Session, count: number, rejected: string | null = null) =>
  Promise.all(Array.from({ length: count }, () => accessToken(session, rejected)))

test('a session without a refresh token ends with its access token', async () => {
  const session = await signedIn(0.9, 'sso', '')
  expect(await accessToken(session)).toEqual({ ok: true, token: 'access-0' })
  await expireAccess(session)
  expect(await accessToken(session)).toEqual({ ok: false, why: 'over' })
  const rejected = await signedIn(0.1, 'sso', '')
  expect(await accessToken(rejected, 'access-0')).toEqual({ ok: false, why: 'over' })
  expect([provider.refreshes, await rowOf(session), await rowOf(rejected)]).toEqual([0, undefined, undefined])
})

test('a living token that only the hub rejects ends no session', async () => {
  const session = await signedIn(0.1, 'sso', '')
  expect(await accessToken(session, 'access-0', 'hub')).toEqual({ ok: true, token: 'access-0' })
  provider.answer = { status: 400, body: JSON.stringify({ error: 'invalid_client' }) }
  expect(await accessToken(await signedIn(0.1), 'access-0', 'hub')).toEqual({ ok: true, token: 'access-0' })
  expect(provider.refreshes).toBe(1)
  await expireAccess(session)
  expect(await accessToken(session, 'access-0', 'hub')).toEqual({ ok: false, why: 'over' })
})

describe.each(['sso', 'password'] as const)('%s', (method) => {
  test('an access token is used until three quarters of its life, then renewed', async () => {
    const young = await signedIn(0.74, method)
    expect(await accessToken(young)).toEqual({ ok: true, token: 'access-0' })
    expect(provider.refreshes).toBe(0)
    const due = await signedIn(0.76, method)
    expect(await accessToken(due)).toEqual({ ok: true, token: 'access-1' })
    expect(provider.refreshes).toBe(1)
  })

  test('fifty callers at once refresh once per expiry, over five expiries', async () => {
    const session = await signedIn(1.1, method)
    for (let expiry = 1; expiry <= 5; expiry += 1) {
      const tokens = await parallel(session, 50)
      expect(new Set(tokens.map((token) => JSON.stringify(token)))).toEqual(
        new Set([JSON.stringify({ ok: true, token: `access-${expiry}` })]),
      )
      expect([provider.refreshes, provider.reused]).toEqual([expiry, 0])
      await expireAccess(session)
    }
  })

  test('fifty callers whose token was just refused refresh once, the late ones included', async () => {
    const session = await signedIn(0.1, method)
    expect(await parallel(session, 50, 'access-0')).toEqual(Array(50).fill({ ok: true, token: 'access-1' }))
    expect(await accessToken(session, 'access-0')).toEqual({ ok: true, token: 'access-1' })
    expect([provider.refreshes, provider.reused]).toEqual([1, 0])
  })

  test('fifty callers who meet an outage at once ask the provider once', async () => {
    const session = await signedIn(1.1, method)
    provider.answer = { status: 503 }
    const open = closeGate()
    const renewals = vi.spyOn(
      perProcess('renewals', () => new Map()),
      'get',
    )
    const waiting = parallel(session, 50)
    await expect.poll(() => [provider.refreshes, renewals.mock.calls.length]).toEqual([1, 50])
    renewals.mockRestore()
    open()
    expect(await waiting).toEqual(Array(50).fill({ ok: false, why: 'unavailable' }))
    expect(provider.refreshes).toBe(1)
  })

  test('ends no session in an outage of the provider', async () => {
    const session = await signedIn(0.8, method)
    provider.answer = { status: 503 }
    for (let n = 0; n < 20; n += 1) expect(await accessToken(session)).toEqual({ ok: true, token: 'access-0' })
    await expireAccess(session)
    for (let n = 0; n < 20; n += 1) expect(await accessToken(session)).toEqual({ ok: false, why: 'unavailable' })
    expect(provider.refreshes).toBe(1)
    provider.answer = null
    passed(6_000)
    expect(await accessToken(session)).toEqual({ ok: true, token: 'access-2' })
    expect(provider.reused).toBe(0)
  })

  test('pauses a renewal for as long as Retry-After says', async () => {
    const session = await signedIn(0.8, method)
    provider.answer = { status: 429, headers: { 'retry-after': '60' } }
    const refreshesOfTwenty = async () => {
      for (let n = 0; n < 20; n += 1) expect(await accessToken(session)).toEqual({ ok: true, token: 'access-0' })
      return provider.refreshes
    }
    expect(await refreshesOfTwenty()).toBe(1)
    passed(59_000)
    expect(await refreshesOfTwenty()).toBe(1)
    passed(2_000)
    expect(await refreshesOfTwenty()).toBe(2)
  })

  test('renews a rejected token in a pause, and ends it', async () => {
    const session = await signedIn(0.8, method)
    provider.answer = { status: 503, headers: { 'retry-after': '300' } }
    await accessToken(session)
    expect(await accessToken(session, 'access-0')).toEqual({ ok: false, why: 'unavailable' })
    expect(provider.refreshes).toBe(2)
    provider.answer = null
    expect(await accessToken(session, 'access-0')).toEqual({ ok: true, token: 'access-3' })
    await expireAccess(session)
    expect(await accessToken(session)).toEqual({ ok: true, token: 'access-4' })
  })
})

test('the new pair is in the vault before anyone uses it', async () => {
  const session = await signedIn(1.1)
  await accessToken(session)
  const row = (await rowOf(session))!
  expect(row).toMatchObject({ token_serial: 2, lease_by: null, lease_ends_at: null })
  expect(tokensOf(session, row)).toMatchObject({ accessToken: 'access-1', refreshToken: 'refresh-1' })
})

test.each(['before', 'after', 'out'] as const)('a store that fails once loses no session: %s', async (failure) => {
  for (let [failAt, failed] = [1, true]; failed; failAt += 1) {
    const session = await signedIn(1.1)
    provider.reset()
    const { failing, remove } = await FailingStore.install()
    failed = await failing.live(failAt, failure, () => accessToken(session))
    remove()
    expect(await accessToken(session)).toEqual({ ok: true, token: 'access-1' })
    expect([provider.refreshes, provider.reused]).toEqual([1, 0])
  }
})

test('a stopping process saves the tokens that it is renewing', async () => {
  const session = await signedIn(0.8)
  const openGate = closeGate()
  const renewing = accessToken(session)
  await expect.poll(() => provider.refreshes).toBe(1)
  const ended = endRenewals()
  openGate()
  await ended
  expect((await rowOf(session))?.token_serial).toBe(2)
  await renewing
})

test('while the provider is asked the store is free: no transaction waits for an answer', async () => {
  const session = await signedIn(1.1)
  const open = closeGate()
  const renewing = accessToken(session)
  const other = await signedIn(0)
  expect(await rowOf(other)).toBeDefined()
  open()
  expect(await renewing).toMatchObject({ ok: true })
})

test('a caller without a usable token waits for the process that renews, and takes what it saved', async () => {
  const session = await signedIn(1.1)
  const box = (await rowOf(await signedIn(0)))!
  expect(await leaseAway(session, Date.now() + 20_000)).toBe(true)
  const waiting = parallel(session, 10)
  await (await store())
    .updateTable('session')
    .set({ token_serial: 2, lease_by: null, lease_ends_at: null, access_ends_at: box.access_ends_at })
    .where('id', '=', session.id)
    .execute()
  expect(await waiting).toEqual(Array(10).fill({ ok: true, token: 'access-0' }))
  expect(provider.refreshes).toBe(0)
})

test('a caller waits no longer when the clock is set back', async () => {
  const session = await signedIn(1.1)
  expect(await leaseAway(session, Date.now() + 60_000)).toBe(true)
  const renewing = accessToken(session)
  await expect.poll(() => peekPerProcess<Map<string, unknown>>('renewals')?.size).toBe(1)
  passed(-3_600_000)
  steadyNow()
  passed(31_000)
  expect(await renewing).toEqual({ ok: false, why: 'unavailable' })
})

test('a caller whose token lives does not wait for the process that renews', async () => {
  const session = await signedIn(0.8)
  await leaseAway(session, Date.now() + 20_000)
  expect(await accessToken(session)).toEqual({ ok: true, token: 'access-0' })
  expect(provider.refreshes).toBe(0)
})

test('neither leases nor saves a generation that was renewed', async () => {
  const session = await signedIn(1.1)
  const receivedAt = new Date().toISOString()
  const saved = async (serial: number) =>
    saveTokens(await store(), session.id, { serial, box: '', receivedAt, endsAt: receivedAt })
  expect([await saved(2), await saved(2)]).toEqual([true, false])
  expect(await leaseAway(session, Date.now() + 20_000)).toBe(false)
})

test('the lease of a process that died is taken over when it has run out', async () => {
  const session = await signedIn(1.1)
  await leaseAway(session, Date.now() - 1)
  expect(await accessToken(session)).toEqual({ ok: true, token: 'access-1' })
})

test.each([
  [true, { ok: true, token: 'access-theirs' }],
  [false, { ok: false, why: 'unavailable' }],
])('a late refusal ends no session taken over (renewed: %j)', async (isRenewed, left) => {
  const session = await signedIn(1.1)
  provider.answer = { status: 400, body: JSON.stringify({ error: 'invalid_grant' }) }
  const open = closeGate()
  const renewing = accessToken(session)
  await expect.poll(() => provider.refreshes).toBe(1)
  const later = Date.now() + 31_000
  expect(await leaseAway(session, later + 30_000, later)).toBe(true)
  if (isRenewed) {
    const receivedAt = new Date().toISOString()
    const tokens = { accessToken: 'access-theirs', refreshToken: 'refresh-theirs', receivedAt, endsAt: receivedAt }
    const next = { serial: 2, box: boxFor(session, tokens), receivedAt, endsAt: receivedAt }
    expect(await saveTokens(await store(), session.id, next)).toBe(true)
  }
  open()
  expect(await renewing).toEqual(left)
  expect(await rowOf(session)).toMatchObject({ lease_by: isRenewed ? null : 'another process' })
})

test('a provider that hangs costs a caller whose token lives little, and ends nothing', async () => {
  const session = await signedIn(0.8)
  provider.answer = 'hang'
  expect(await accessToken(session)).toEqual({ ok: true, token: 'access-0' })
  expect(await rowOf(session)).toBeDefined()
})

test('a session that is signed out while it is renewed stays so, and its new tokens are revoked', async () => {
  const session = await signedIn(1.1)
  const open = closeGate()
  const renewing = accessToken(session)
  await expect.poll(() => provider.refreshes).toBe(1)
  await endSession(session.id, 'signed-out')
  open()
  expect(await renewing).toEqual({ ok: false, why: 'over' })
  expect(await rowOf(session)).toBeUndefined()
  expect(provider.revoked).toEqual(['refresh-1'])
})

test('revokes no shared grant when a session ends in renewal', async () => {
  const session = await openForTest(await signInForTest({ idpSid: 'sid' }))
  await expireAccess(session)
  const open = closeGate()
  const renewing = accessToken(session)
  await expect.poll(() => provider.refreshes).toBe(1)
  await signInForTest({ idpSid: 'sid' })
  await endSession(session.id, 'signed-out')
  open()
  expect(await renewing).toEqual({ ok: false, why: 'over' })
  expect(provider.revoked).toEqual([])
})

test('an ID token that cannot be read, and a refresh token that stays the same, lose nothing', async () => {
  const session = await signedIn(1.1)
  provider.more = { id_token: 'nonsense', refresh_token: undefined, expires_in: '600' }
  expect(await accessToken(session)).toEqual({ ok: true, token: 'access-1' })
  expect(tokensOf(session, (await rowOf(session))!)).toMatchObject({ refreshToken: 'refresh-0' })
})

test.each([undefined, 0, -1, 'soon', 1e300])(
  'a renewed token whose life is told as %j lives five minutes',
  async (life) => {
    const session = await signedIn(1.1)
    provider.more = { expires_in: life }
    expect(await accessToken(session)).toEqual({ ok: true, token: 'access-1' })
    const { access_received_at: received, access_ends_at: ends } = (await rowOf(session))!
    expect(Date.parse(ends) - Date.parse(received)).toBe(300_000)
  },
)

test('a token that lives is kept in memory, until the session ends, be it in another process', async () => {
  const session = await signedIn(0.1)
  await accessToken(session)
  // As another process ends it.
  await (await store()).deleteFrom('session').where('id', '=', session.id).execute()
  expect(await accessToken(session)).toEqual({ ok: true, token: 'access-0' })
  await dropEndedSessions()
  expect(await accessToken(session)).toEqual({ ok: false, why: 'over' })
})

test('no token is kept for a session that is over: nothing would tell that it has to be forgotten', async () => {
  const session = await signedIn(0.1)
  await endSession(session.id, 'signed-out')
  expect(await accessToken(session)).toEqual({ ok: false, why: 'over' })
})

test('a token that was refused is not offered again once there is another one', async () => {
  const session = await signedIn(0.1)
  await accessToken(session)
  expect(await accessToken(session, 'access-0')).toEqual({ ok: true, token: 'access-1' })
  expect(await accessToken(session)).toEqual({ ok: true, token: 'access-1' })
  expect(provider.refreshes).toBe(1)
})
