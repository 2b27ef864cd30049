import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SEED_PASSWORD, userIdEndingIn } from '#sandbox/seed/people.ts'
import { type Json, type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'

const LOGIN = '/api/v1/Users/login'
const SCOPES = '/api/v1/Users/{id}/scopes'
const OWN_SCOPES = `/api/v1/Users/${userIdEndingIn('011')}/scopes`

let box: TestSandbox

beforeAll(async () => {
  box = await testSandbox()
})
beforeEach(() => box.reset())

const isProblem = ({ status, body, headers }: { status: number; body: Json; headers: Headers }) => {
  expect(headers.get('content-type')).toContain('application/problem+json')
  expect(body).toMatchObject({ status, type: expect.stringMatching(/^urn:ocs:error:/), title: expect.any(String) })
  expect(body).toMatchObject({ detail: expect.any(String), traceId: expect.stringMatching(/^00-[0-9a-f]{32}-/) })
  expect(JSON.stringify(body)).not.toMatch(/node_modules|at \w+ \(/)
}

describe('bad requests are problem documents', () => {
  test.each([
    ['malformed JSON', 400, () => box.call('POST', LOGIN, { text: '{"email":' })],
    ['no body', 400, () => box.call('POST', LOGIN)],
    ['an array', 400, () => box.call('POST', LOGIN, { body: [] })],
    [
      'another content type',
      415,
      () => box.call('POST', LOGIN, { text: 'a=b', headers: { 'content-type': 'text/plain' } }),
    ],
    ['a NUL in a field', 400, () => box.call('POST', LOGIN, { body: { email: 'a\0', password: 'b' } })],
    ['a NUL in a reference', 404, () => box.call('GET', '/api/v1/Transaction/%00', { as: 'operator@example.com' })],
    ['a broken escape', 400, () => box.call('GET', '/api/v1/Transaction/%zz')],
    ['a very long reference', 404, () => box.call('GET', `/api/v1/Transaction/${'x'.repeat(9_000)}`)],
    ['a megabyte', 413, () => box.call('POST', LOGIN, { body: { email: 'x'.repeat(1_000_000), password: '' } })],
    ['an unknown path', 404, () => box.call('GET', '/api/v1/Nothing')],
    ['another method', 405, () => box.call('PUT', LOGIN)],
    ['another method on a path with a parameter', 405, () => box.call('DELETE', OWN_SCOPES)],
    ['no token', 401, () => box.call('GET', OWN_SCOPES)],
  ])('%s: %i', async (_what, status, ask) => {
    const answer = await ask()
    expect(answer.status).toBe(status)
    isProblem(answer)
  })

  test.each(['constructor', 'toString', '__proto__'])('an unknown field %s', async (name) => {
    const answer = await box.call('POST', LOGIN, { text: `{"${name}":1}` })
    expect(answer.status).toBe(400)
    expect(Object.keys(answer.body.errors ?? {})).toContain(name)
    isProblem(answer)
  })
})

describe('faults', () => {
  const fault = (body: object) => box.call('POST', '/sandbox/faults', { body })
  const read = () => box.call('GET', OWN_SCOPES, { as: 'ana@example.com' })

  test('a problem instead of the operation, as often as asked, on the template', async () => {
    await box.token('ana@example.com')
    await fault({ method: 'GET', path: SCOPES, times: 2, effect: { status: 503, code: 'x::y', retryAfter: 7 } })
    const first = await read()
    expect(first.status).toBe(503)
    expect(first.body.type).toBe('urn:ocs:error:x::y')
    expect(first.headers.get('retry-after')).toBe('7')
    isProblem(first)
    expect([(await read()).status, (await read()).status]).toEqual([503, 200])
  })

  test('drop-before cuts and does nothing; drop-after does it and cuts', async () => {
    const deposit = () =>
      box.call('POST', '/api/v1/Transaction/deposit', { as: 'ana@example.com', body: { amount: 5 } })
    const total = async () => {
      const { body } = await box.call('GET', `/api/v1/Transaction/account/${userIdEndingIn('011')}`, {
        as: 'ana@example.com',
      })
      return Number(body.data?.totalCount)
    }
    const before = await total()
    await fault({ method: 'POST', path: '/api/v1/Transaction/deposit', effect: 'drop-before' })
    await expect(deposit()).rejects.toThrow()
    expect(await total()).toBe(before)
    await fault({ method: 'POST', path: '/api/v1/Transaction/deposit', effect: 'drop-after' })
    await expect(deposit()).rejects.toThrow()
    expect(await total()).toBe(before + 1)
  })

  test('garble spoils the answer, not the operation', async () => {
    await fault({ method: 'GET', path: SCOPES, effect: 'garble' })
    await expect(read()).rejects.toThrow(SyntaxError)
    expect((await read()).status).toBe(200)
  })

  test('a delay comes before the answer', async () => {
    await box.token('ana@example.com')
    await fault({ method: 'GET', path: SCOPES, effect: { delayMs: 300 } })
    const beganMs = performance.now()
    expect((await read()).status).toBe(200)
    expect(performance.now() - beganMs).toBeGreaterThan(290)
  })

  test('a held request waits until the faults are removed', async () => {
    await box.token('ana@example.com')
    await fault({ method: 'GET', path: SCOPES, effect: 'hold' })
    const held = read()
    const heldRequests = async () => (await box.call('GET', '/sandbox/faults')).body.heldRequests
    await expect.poll(heldRequests).toBe(1)
    await box.call('DELETE', '/sandbox/faults')
    expect([(await held).status, await heldRequests()]).toEqual([200, 0])
  })

  test('a share below 1 spares the others, and only what met the fault is counted', async () => {
    await fault({ method: 'GET', path: SCOPES, times: 1_000, share: 0.5, effect: { status: 503 } })
    const answers = await Promise.all(Array.from({ length: 60 }, read))
    const spoilt = answers.filter(({ status }) => status === 503).length
    expect(spoilt).toBeGreaterThan(0)
    expect(spoilt).toBeLessThan(60)
    const listed = await box.call('GET', '/sandbox/faults')
    expect(listed.body.faults).toMatchObject([{ times: 1_000 - spoilt, share: 0.5 }])
    await box.call('DELETE', '/sandbox/faults')
    expect((await fault({ method: 'GET', path: SCOPES, share: 0, effect: { status: 503 } })).status).toBe(400)
  })

  test('can be listed and cleared; nonsense is refused', async () => {
    await fault({ method: 'GET', path: SCOPES, times: 3, effect: 'garble' })
    const listed = await box.call('GET', '/sandbox/faults')
    expect(listed.body.faults).toEqual([{ method: 'GET', path: SCOPES, times: 3, effect: 'garble' }])
    await box.call('DELETE', '/sandbox/faults')
    expect((await read()).status).toBe(200)
    expect((await fault({ method: 'GET', path: 'x', effect: 'explode' })).status).toBe(400)
  })
})

test('requests are listed without bodies, with who asked and whether a grant was there', async () => {
  await box.token('ana@example.com')
  const before = (await box.call('GET', '/sandbox/requests')).body.requests as unknown as readonly Json[]
  const after = Number(before.at(-1)?.sequence ?? 0)
  await box.call('POST', LOGIN, { body: { email: 'ana@example.com', password: SEED_PASSWORD } })
  await box.call('GET', `${OWN_SCOPES}?secret=1`, { as: 'ana@example.com', headers: { 'x-step-up': 'grant' } })
  const { body } = await box.call('GET', `/sandbox/requests?after=${after}`)
  expect(body.requests).toMatchObject([
    { method: 'POST', path: LOGIN, status: 200, userId: null, stepUp: false },
    { method: 'GET', path: OWN_SCOPES, status: 200, userId: userIdEndingIn('011'), stepUp: true },
  ])
  expect(JSON.stringify(body)).not.toMatch(/Sandbox-Pass|secret|grant|eyJ/)
})

test('what lives by the machine’s clock is answered with a Date of it, however far the ledger’s has moved', async () => {
  await box.call('POST', '/sandbox/clock', { body: { advanceSeconds: 86_400 } })
  const away = async (path: string) =>
    Math.abs(
      Date.parse((await box.call('GET', path, { as: 'arbitrator@example.com' })).headers.get('date') ?? '') -
        Date.now(),
    )
  expect(await away('/api/v1/Security/totp')).toBeLessThan(5_000)
  expect(await away('/api/v1/Dispute')).toBeGreaterThan(80_000_000)
})

test('the clock moves ledger time and the Date header, and never stands still', async () => {
  const first = String((await box.call('GET', '/sandbox/clock')).body.now)
  const moved = await box.call('POST', '/sandbox/clock', { body: { advanceSeconds: 3600 } })
  expect(Date.parse(String(moved.body.now)) - Date.parse(first)).toBeGreaterThanOrEqual(3_600_000)
  const ahead = Date.parse((await box.call('GET', '/health')).headers.get('date') ?? '') - Date.now()
  expect(ahead).toBeGreaterThan(3_590_000)
  expect((await box.call('POST', '/sandbox/clock', { body: { advanceSeconds: -1 } })).status).toBe(400)
})
