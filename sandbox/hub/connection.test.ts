import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { disputeCalls } from '#sandbox/disputes/test-disputes.ts'
import { type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'
import { clockOf, hubOf, until } from './test-hub.ts'

const BAD_MESSAGE = { type: 7, error: 'A message cannot be read.', allowReconnect: false }

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

const bearer = async (email: string) => ({ authorization: `Bearer ${await box.token(email)}` })

describe('the handshake', () => {
  const shake = async (message: unknown) => {
    const client = await hub.raw(await bearer('ana@example.com'))
    client.send(message)
    return client
  }

  test('is answered by nothing but an end of record, and may come with messages', async () => {
    const client = await shake('{"protocol":"json","version":1}\u001e{"type":1,"invocationId":"1","target":"x"}\u001e')
    expect(await client.next()).toEqual({})
    expect(await client.next()).toMatchObject({ type: 3, invocationId: '1', error: expect.stringContaining('method') })
  })

  test.each([
    ['another protocol', { protocol: 'messagepack', version: 1 }],
    ['another version', { protocol: 'json', version: 2 }],
    ['no protocol', { version: 1 }],
    ['no object', [1]],
    ['no JSON', '{\u001e'],
    ['no end', '{"protocol":"json","version":1}'],
    ['a message', { type: 6 }],
  ])('is refused with an error, and closed: %s', async (_what, message) => {
    const client = await shake(message)
    expect(await client.next()).toEqual({ error: expect.any(String) })
    expect(await client.closed).toBe(1000)
  })

  test('that does not come within 15 seconds ends the connection', async () => {
    const time = clockOf(box)
    const client = await hub.raw(await bearer('ana@example.com'))
    time.forward(15_000)
    expect(await client.closed).toBe(1006)
  })

  test('until it is done nothing is sent', async () => {
    const client = await hub.raw(await bearer('ben@example.com'))
    await call.opened()
    client.send({ protocol: 'json', version: 1 })
    expect(await client.next()).toEqual({})
  })
})

describe('silence', () => {
  test('of the hub is broken by a ping every 15 seconds', async () => {
    const time = clockOf(box)
    const client = await hub.rawAs('ana@example.com')
    time.forward(15_000)
    expect(await client.next()).toEqual({ type: 6 })
  })

  test('of the client ends the connection after 30 seconds, unless it pings', async () => {
    const time = clockOf(box)
    const [quiet, pinging] = [await hub.rawAs('ana@example.com'), await hub.rawAs('ana@example.com')]
    time.forward(29_000)
    pinging.send({ type: 1, invocationId: 'heard', target: 'x', arguments: [] })
    await until(async () => (await pinging.next()).invocationId === ('heard' as never))
    time.forward(1_000)
    await quiet.closed
    expect(pinging.socket.readyState).toBe(pinging.socket.OPEN)
  })
})

describe('misuse', () => {
  test.each([
    ['no JSON', '{\u001e'],
    ['no end of record', '{"type":6}'],
    ['null', 'null\u001e'],
    ['no type', '{}\u001e'],
    ['a call without a method', '{"type":1,"target":""}\u001e'],
  ])('a message that cannot be read ends the connection, not to come back: %s', async (_what, text) => {
    const client = await hub.rawAs('ana@example.com')
    client.send(text)
    expect(await client.next()).toEqual(BAD_MESSAGE)
    expect(await client.closed).toBe(1000)
  })

  test('a message of more than 32 kB ends it as too large', async () => {
    const client = await hub.rawAs('ana@example.com')
    client.send({ type: 1, target: 'x', arguments: ['x'.repeat(33_000)] })
    expect(await client.closed).toBe(1009)
  })

  test('more than a hundred calls at once end it', async () => {
    const client = await hub.rawAs('ana@example.com')
    client.send('{"type":1,"target":"JoinCase","arguments":["x"]}\u001e'.repeat(101))
    expect(await client.next()).toEqual({ type: 7, error: expect.stringContaining('Too many'), allowReconnect: false })
    await client.closed
  })

  test('messages of other types are ignored; a client that says goodbye is let go', async () => {
    const client = await hub.rawAs('ana@example.com')
    client.send('{"type":99}\u001e{"type":6}\u001e{"type":3,"invocationId":"1"}\u001e{"type":7}\u001e')
    expect(await client.closed).toBe(1000)
  })

  test('a client that does not read is cut off; the others are not', async () => {
    const { id } = await call.opened()
    const [slow, fast] = [await hub.rawAs('ana@example.com'), await hub.connect('ben@example.com')]
    slow.send({ type: 1, invocationId: '1', target: 'JoinCase', arguments: [id] })
    await slow.next()
    await fast.join(id)
    let cut = false
    void slow.closed.then(() => {
      cut = true
    })
    slow.socket.pause()
    const payload = { ...(await call.post(id, 'Hi')).body.data, body: 'x'.repeat(256 * 1024) }
    const before = fast.heard.length
    for (let sent = 1; sent <= 100; sent += 1) {
      box.sandbox.world.disputeEvents.publish({ name: 'MessagePosted', caseId: id, payload: payload as never })
      await until(() => fast.heard.length >= before + sent)
    }
    slow.socket.resume()
    await until(() => cut)
    expect(fast.connection.state).toBe('Connected')
  })
})
