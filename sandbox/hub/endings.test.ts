import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { testDatabaseUrl } from '#lib/database/test-database.ts'
import { ANA, disputeCalls } from '#sandbox/disputes/test-disputes.ts'
import { startSandbox } from '#sandbox/sandbox.ts'
import { type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'
import { clockOf, hubOf } from './test-hub.ts'

let box: TestSandbox
let hub: ReturnType<typeof hubOf>
let call: ReturnType<typeof disputeCalls>

beforeAll(async () => {
  box = await testSandbox()
  hub = hubOf(box)
  call = disputeCalls(box)
  await box.reset()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await hub.stopAll()
})

const drop = (downMs: number) => box.call('POST', '/sandbox/hub/drop', { body: { downMs } })
const bearer = async (email: string) => ({ authorization: `Bearer ${await box.token(email)}` })

describe('a token', () => {
  test('that expires ends the connection, and lets the client come back', async () => {
    const time = clockOf(box)
    const client = await hub.rawAs('ana@example.com')
    time.forward(600_000)
    expect(await client.next()).toEqual({ type: 7, error: 'The access token expired.', allowReconnect: true })
    expect(await client.closed).toBe(1000)
  })

  test('that is told to expire ends all connections of its user, and nobody else’s', async () => {
    const [one, two, ben] = [
      await hub.connect('ana@example.com'),
      await hub.connect('ana@example.com', 'query'),
      await hub.connect('ben@example.com'),
    ]
    await box.call('POST', '/sandbox/tokens/expire', { body: { userId: ANA } })
    await Promise.all([one.closed, two.closed])
    expect(ben.connection.state).toBe('Connected')
    await expect(hub.connect('ana@example.com')).rejects.toThrow()
    await box.reset()
  })
})

describe('a dropped hub', () => {
  afterEach(() => {
    vi.restoreAllMocks()
    return drop(0)
  })

  test('cuts everybody and answers 503 until it is back', async () => {
    const time = clockOf(box)
    const [ana, ben] = [await hub.connect('ana@example.com'), await hub.rawAs('ben@example.com')]
    expect((await drop(5_000)).body).toEqual({ cut: 2 })
    await ana.closed
    expect(await ben.closed).toBe(1006)
    const headers = await bearer('ana@example.com')
    await expect(hub.raw(headers)).rejects.toBe(503)
    await expect(hub.raw()).rejects.toBe(503)
    const negotiation = await box.call('POST', '/hubs/disputes/negotiate', { headers })
    expect([negotiation.status, negotiation.body.type]).toEqual([503, 'urn:ocs:error:core::hub::unavailable'])
    expect(Number(negotiation.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await box.call('GET', '/api/v1/Dispute', { as: 'ana@example.com' })).status).toBe(200)
    time.forward(5_000)
    await hub.connect('ana@example.com')
  })

  test('forgets who had joined: a client that comes back hears of a case again after joining it', async () => {
    const { id } = await call.opened()
    const ana = await hub.connect('ana@example.com', 'header', 10)
    await ana.join(id)
    const back = new Promise((done) => ana.connection.onreconnected(done))
    await drop(0)
    await back
    await call.post(id, 'Missed')
    await ana.join(id)
    await call.post(id, 'Heard')
    expect((await ana.next('MessagePosted')).body).toBe('Heard')
  })

  test.each([{ downMs: -1 }, { downMs: 600_001 }, { downMs: '5' }, { ms: 5 }])('400: %j', async (body) => {
    expect((await box.call('POST', '/sandbox/hub/drop', { body })).status).toBe(400)
  })
})

test('a reset ends every connection, and an outage', async () => {
  await hub.stopAll()
  const client = await hub.rawAs('ana@example.com')
  await box.reset()
  expect(await client.next()).toMatchObject({ type: 7, allowReconnect: true })
  await client.closed
  await drop(600_000)
  await box.reset()
  await hub.connect('ana@example.com')
})

test('closing the sandbox closes its connections', async () => {
  const sandbox = await startSandbox({
    seed: 'demo',
    databaseUrl: await testDatabaseUrl(),
    host: '127.0.0.1',
    port: 0,
    baseUrl: 'http://localhost:4010',
    consoleUrl: 'http://localhost:3000',
    consoleSecret: 'sandbox-console-secret',
    accessTokenSeconds: 600,
    kycSecret: 'x',
  })
  // Tokens of the other sandbox are not signed by this one, so it issues its own.
  const login = await fetch(`http://127.0.0.1:${sandbox.port}/api/v1/Users/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ana@example.com', password: 'Sandbox-Pass-1' }),
  })
  const { data } = (await login.json()) as { data: { accessToken: string } }
  const other = hubOf({ ...box, url: `http://127.0.0.1:${sandbox.port}`, token: async () => data.accessToken })
  const [raw, client] = [await other.rawAs('ana@example.com'), await other.connect('ana@example.com')]
  await sandbox.close()
  expect(await raw.closed).toBe(1006)
  await client.closed
})
