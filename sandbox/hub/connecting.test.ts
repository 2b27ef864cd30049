import { request } from 'node:http'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { userIdEndingIn } from '#sandbox/seed/people.ts'
import { type Json, type TestRequest, type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'
import { hubOf, type TokenPlace } from './test-hub.ts'

const PATH = '/hubs/disputes'
const NEGOTIATE = `${PATH}/negotiate`
const ANA = userIdEndingIn('011')

let box: TestSandbox
let hub: ReturnType<typeof hubOf>
let after: number

beforeAll(async () => {
  box = await testSandbox()
  hub = hubOf(box)
  await box.reset()
})
beforeEach(async () => {
  await box.token('ana@example.com')
  after = Number((await requests(0)).at(-1)?.sequence ?? 0)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await hub.stopAll()
})

const requests = async (since: number): Promise<readonly Json[]> =>
  (await box.call('GET', `/sandbox/requests?after=${since}`)).body.requests as unknown as readonly Json[]

const negotiate = (opening: TestRequest = {}, query = '?negotiateVersion=1') =>
  box.call('POST', NEGOTIATE + query, opening)
const bearer = async (email: string) => ({ authorization: `Bearer ${await box.token(email)}` })

describe('the official client', () => {
  test.each(['header', 'query', 'header, negotiated', 'query, negotiated'] as const)(
    'connects with its token by %s, and the log says how it came',
    async (way: TokenPlace) => {
      const client = await hub.connect('ana@example.com', way)
      expect(client.connection.state).toBe('Connected')
      const hubToken = way.startsWith('query') ? 'query' : 'header'
      const upgrade = { method: 'GET', path: PATH, status: 101, userId: ANA, stepUp: false, hubToken }
      const negotiation = { method: 'POST', path: NEGOTIATE, status: 200, userId: ANA, hubToken }
      const log = await requests(after)
      expect(log).toMatchObject(way.endsWith('negotiated') ? [negotiation, upgrade] : [upgrade])
      expect(JSON.stringify(log)).not.toContain('eyJ')
    },
  )

  test('is refused without a token', async () => {
    const token = vi.spyOn(box, 'token').mockResolvedValue('')
    for (const way of ['header', 'header, negotiated', 'query'] as const) {
      await expect(hub.connect('ana@example.com', way)).rejects.toThrow()
    }
    token.mockRestore()
    const log = await requests(after)
    expect(log.map(({ status, hubToken }) => [status, hubToken])).toEqual([
      [401, null],
      [401, null],
      [401, 'query'],
    ])
  })
})

describe('a token', () => {
  test.each([
    ['none', {}, ''],
    ['no JWT', { authorization: 'Bearer nonsense' }, ''],
    ['none, with another scheme', { authorization: 'Basic YTpi' }, ''],
    ['an empty one in the query', {}, '?access_token='],
    ['two in the query', {}, '?access_token=a&access_token=b'],
  ])('401: %s', async (_what, headers: Record<string, string>, query) => {
    await expect(hub.raw(headers, query)).rejects.toBe(401)
    const answer = await negotiate({ headers }, query)
    expect([answer.status, answer.body.type]).toEqual([401, 'urn:ocs:error:core::authentication::required'])
  })

  test('that expired does not connect', async () => {
    const headers = await bearer('ana@example.com')
    vi.spyOn(box.sandbox.world, 'wallMilliseconds').mockReturnValue(Date.now() + 3_600_000)
    await expect(hub.raw(headers)).rejects.toBe(401)
    expect((await negotiate({ headers })).status).toBe(401)
  })

  test('in the header counts, whatever the query has', async () => {
    const good = await box.token('ana@example.com')
    await expect(hub.raw({ authorization: 'Bearer nonsense' }, `?access_token=${good}`)).rejects.toBe(401)
    await hub.raw({ authorization: `Bearer ${good}` }, '?access_token=nonsense')
    expect((await requests(after)).map(({ hubToken }) => hubToken)).toEqual(['header', 'header'])
  })

  test('in the query is taken by the hub alone', async () => {
    const query = `?access_token=${await box.token('ana@example.com')}`
    expect((await box.call('GET', `/api/v1/Dispute${query}`)).status).toBe(401)
    expect((await box.call('POST', `${NEGOTIATE}${query}`)).status).toBe(200)
  })

  test('of somebody who may not read disputes: 403, naming the scope', async () => {
    const dario = userIdEndingIn('014')
    const headers = await bearer('dario@example.com')
    await box.give('', dario)
    const { status, body } = await negotiate({ headers })
    expect([status, String(body.title)]).toEqual([403, expect.stringContaining('core:disputes:read')])
    await expect(hub.raw(headers)).rejects.toBe(403)
    await box.give('HOLDER', dario)
    await hub.raw(headers)
  })
})

describe('negotiation', () => {
  test('offers WebSockets alone; the token of a connection opens it once', async () => {
    const headers = await bearer('ana@example.com')
    const { body } = await negotiate({ headers })
    expect(body).toEqual({
      negotiateVersion: 1,
      connectionId: expect.any(String),
      connectionToken: expect.any(String),
      availableTransports: [{ transport: 'WebSockets', transferFormats: ['Text'] }],
    })
    expect(body.connectionId).not.toBe(body.connectionToken)
    await hub.raw(headers, `?id=${body.connectionToken}`)
    await expect(hub.raw(headers, `?id=${body.connectionToken}`)).rejects.toBe(404)
  })

  test('before version 1 the id of a connection opens it', async () => {
    const headers = await bearer('ana@example.com')
    const { body } = await negotiate({ headers }, '')
    expect(body).toMatchObject({ negotiateVersion: 0, connectionId: expect.any(String) })
    expect(body).not.toHaveProperty('connectionToken')
    await hub.raw(headers, `?id=${body.connectionId}`)
  })

  test('404 for a connection of somebody else, one that nobody negotiated, and one that waited too long', async () => {
    const headers = await bearer('ana@example.com')
    const ofBen = (await negotiate({ headers: await bearer('ben@example.com') })).body.connectionToken
    for (const id of [ofBen, 'unknown', '']) await expect(hub.raw(headers, `?id=${id}`)).rejects.toBe(404)
    const { connectionToken } = (await negotiate({ headers })).body
    vi.spyOn(box.sandbox.world, 'wallMilliseconds').mockReturnValue(Date.now() + 60_000)
    await expect(hub.raw(headers, `?id=${connectionToken}`)).rejects.toBe(404)
  })

  test('takes any body, whatever it says it is', async () => {
    const headers = { ...(await bearer('ana@example.com')), 'content-type': 'text/plain;charset=UTF-8' }
    expect((await negotiate({ headers, text: '{' })).status).toBe(200)
  })
})

describe('other requests', () => {
  /** The status of a request for an upgrade that is refused. */
  const upgrade = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    new Promise((done, fail) => {
      const opening = request(box.url + path, { headers: { connection: 'Upgrade', upgrade: 'websocket', ...headers } })
      opening.once('response', (response) => done(response.resume().statusCode))
      opening.once('upgrade', () => fail(new Error('the upgrade was granted')))
      opening.once('error', fail)
      opening.end()
    })

  test('400 for who asks for no WebSocket, 405 for other methods', async () => {
    const as = 'ana@example.com'
    expect((await box.call('GET', PATH, { as })).body.type).toBe('urn:ocs:error:core::hub::transport')
    expect((await box.call('POST', PATH, { as })).status).toBe(405)
    expect((await box.call('GET', NEGOTIATE, { as })).status).toBe(405)
  })

  test('400 for a WebSocket that cannot be: no key, another version, another protocol', async () => {
    const headers = await bearer('ana@example.com')
    const key = { 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==' }
    const version = { 'sec-websocket-version': '13' }
    expect(await upgrade(PATH, { ...headers, ...version })).toBe(400)
    expect(await upgrade(PATH, { ...headers, ...key, 'sec-websocket-version': '7' })).toBe(400)
    expect(await upgrade(PATH, { ...headers, ...key, ...version, upgrade: 'h2c' })).toBe(400)
  })

  test('an upgrade of anything else is answered like a plain request', async () => {
    expect(await upgrade('/health')).toBe(200)
    expect(await upgrade('/health', { upgrade: 'h2c' })).toBe(200)
    expect(await upgrade('/api/v1/Dispute')).toBe(401)
    expect(await upgrade('/nothing')).toBe(404)
  })

  test('an upgrade meets faults', async () => {
    const headers = await bearer('ana@example.com')
    const fault = (effect: unknown) =>
      box.call('POST', '/sandbox/faults', { body: { method: 'GET', path: PATH, effect } })
    await fault({ status: 502 })
    await expect(hub.raw(headers)).rejects.toBe(502)
    await fault('drop-before')
    await expect(hub.raw(headers)).rejects.toThrow()
    await hub.raw(headers)
    expect((await requests(after)).map(({ status }) => status)).toEqual([502, 0, 101])
  })
})
