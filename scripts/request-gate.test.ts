import { createServer, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { putPerProcess } from '#lib/config/per-process.ts'
import { limitConnections, refuseBroken } from '#lib/http/guard-server.ts'
import { putSignedInActor } from '#lib/http/http-server.ts'
import { requestGate } from './request-gate.ts'

const KB = 1024
const UPLOAD = '/api/deposits/statements'
const SIGNED_IN = 'Cookie: sid=good\r\n'

const open: Server[] = []
const sockets: Socket[] = []

beforeEach(() => putSignedInActor(async (cookies) => /^sid=(good.*)/.exec(cookies)?.[1] ?? null))
afterEach(async () => {
  putPerProcess('signed-in actor', undefined)
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of open.splice(0)) {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
})

/** A server behind the gate that keeps every body whole, as Next does. */
async function listen({ most = 1_000, mostPerAddress = 1_000 } = {}) {
  const counts = { answered: 0, buffered: 0 }
  const waiting: (() => void)[] = []
  const server = createServer()
  const gate = requestGate(server)
  const answer = async (request: IncomingMessage): Promise<number> => {
    counts.answered += 1
    for await (const part of request) counts.buffered += part.length
    if (request.url === '/api/slow' || request.headers['x-slow'] !== undefined) {
      await new Promise<void>((go) => waiting.push(go))
    }
    return counts.buffered
  }
  server.on('request', (request, response) =>
    gate(request, response, () => {
      answer(request).then(
        () => response.end('ok'),
        () => {},
      )
    }),
  )
  refuseBroken(server, {})
  limitConnections(server, { most, mostPerAddress }, {})
  open.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { port: (server.address() as AddressInfo).port, counts, waiting }
}

/** A connection that has sent these bytes; `answer` is what came back when the server closed it. */
function send(port: number, bytes: string): { socket: Socket; answer: Promise<string> } {
  const socket = connect(port, '127.0.0.1')
  socket.write(bytes)
  sockets.push(socket)
  let text = ''
  socket.on('data', (data) => {
    text += data
  })
  socket.on('error', () => {})
  return { socket, answer: new Promise((done) => socket.on('close', () => done(text))) }
}

const head = (path: string, lines: string, method = 'POST') =>
  `${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${lines}\r\n`
const announcing = (path: string, bytes: number, more = '') => head(path, `${more}Content-Length: ${bytes}\r\n`)
const statusOf = (answer: string) => Number(answer.split(' ')[1])

test('refuses an announced body beyond the bound of its path unread', async () => {
  const { port, counts } = await listen()
  for (const [path, bytes] of [
    ['/sign-in', 65 * KB],
    ['/api/commands', 6_000 * KB],
    ['/', 6_000 * KB],
    [UPLOAD, 6_145 * KB],
    [`${UPLOAD}/1/work`, 65 * KB],
  ] as const) {
    const { answer } = send(port, announcing(path, bytes, SIGNED_IN) + 'x'.repeat(KB))
    expect(statusOf(await answer), path).toBe(413)
  }
  expect(counts).toEqual({ answered: 0, buffered: 0 })
})

test('lets a body within the bound through', async () => {
  const { port, counts } = await listen()
  const small = send(port, announcing('/api/commands', 64 * KB) + 'x'.repeat(64 * KB))
  expect(statusOf(await small.answer)).toBe(200)
  const large = send(port, announcing(UPLOAD, 5_000 * KB, SIGNED_IN) + 'x'.repeat(5_000 * KB))
  expect(statusOf(await large.answer)).toBe(200)
  expect(counts).toEqual({ answered: 2, buffered: 5_064 * KB })
})

test.each(['', 'Cookie: sid=other\r\n'])('refuses an upload without a session unread: %j', async (cookie) => {
  const { port, counts } = await listen()
  const { answer } = send(port, announcing(UPLOAD, 5_000 * KB, cookie) + 'x'.repeat(KB))
  expect(statusOf(await answer)).toBe(401)
  const chunked = send(port, head(UPLOAD, `${cookie}Transfer-Encoding: chunked\r\n`))
  expect(statusOf(await chunked.answer)).toBe(401)
  expect(counts).toEqual({ answered: 0, buffered: 0 })
})

test('refuses an upload while the store does not answer', async () => {
  const { port, counts } = await listen()
  putSignedInActor(() => Promise.reject(new Error('out')))
  expect(statusOf(await send(port, announcing(UPLOAD, 5_000 * KB, SIGNED_IN)).answer)).toBe(503)
  expect(counts.answered).toBe(0)
})

test.each([
  ['/sign-in', '', 64],
  [`${UPLOAD}/1/work`, SIGNED_IN, 64],
  [UPLOAD, SIGNED_IN, 6_144],
] as const)('counts a chunked body on %s as it comes', async (path, cookie, boundKb) => {
  const { port, counts } = await listen()
  const { socket, answer } = send(port, head(path, `${cookie}Transfer-Encoding: chunked\r\n`))
  const chunk = `${(KB * 16).toString(16)}\r\n${'x'.repeat(KB * 16)}\r\n`
  const sending = (async () => {
    for (let sent = 0; sent <= boundKb && socket.writable; sent += 16) {
      if (!socket.write(chunk)) await new Promise((go) => socket.once('drain', go).once('close', go))
    }
  })()
  expect(statusOf(await answer)).toBe(413)
  await sending
  expect(counts.buffered).toBeLessThanOrEqual(boundKb * KB)
  const within = send(port, `${head(path, `${cookie}Transfer-Encoding: chunked\r\n`)}${chunk}0\r\n\r\n`)
  expect(statusOf(await within.answer)).toBe(200)
})

test('reads a few uploads at a time', async () => {
  const { port, counts, waiting } = await listen()
  const upload = (_: unknown, person: number) =>
    send(port, announcing(UPLOAD, 100 * KB, `Cookie: sid=good${person}\r\nX-Slow: 1\r\n`) + 'x'.repeat(100 * KB))
  const first = Array.from({ length: 4 }, upload)
  await expect.poll(() => waiting.length).toBe(4)
  const fifth = await upload(null, 4).answer
  expect([statusOf(fifth), /retry-after: 5/i.test(fifth), counts.answered]).toEqual([503, true, 4])
  for (const go of waiting.splice(0)) go()
  expect((await Promise.all(first.map(({ answer }) => answer))).map(statusOf)).toEqual([200, 200, 200, 200])
  const next = upload(null, 4)
  await expect.poll(() => waiting.length).toBe(1)
  waiting[0]?.()
  expect(statusOf(await next.answer)).toBe(200)
})

test('reads one upload of a person at a time', async () => {
  const { port, counts } = await listen()
  const upload = (body: string, person: string) =>
    send(port, announcing(UPLOAD, 100 * KB, `Cookie: sid=good-${person}\r\n`) + body)
  const slow = upload('', 'ann')
  await expect.poll(() => counts.answered).toBe(1)
  const second = await upload('x'.repeat(100 * KB), 'ann').answer
  expect([statusOf(second), /retry-after: 5/i.test(second), counts.answered]).toEqual([429, true, 1])
  expect(statusOf(await upload('x'.repeat(100 * KB), 'ben').answer)).toBe(200)
  slow.socket.write('x'.repeat(100 * KB))
  expect(statusOf(await slow.answer)).toBe(200)
  expect(statusOf(await upload('x'.repeat(100 * KB), 'ann').answer)).toBe(200)
})

test('lets eighty senders of large bodies fill no memory', async () => {
  const { port, counts } = await listen()
  const answers = Array.from({ length: 80 }, (_, at) => {
    const path = ['/', '/sign-in', '/api/commands', UPLOAD][at % 4] ?? '/'
    return send(port, announcing(path, 6_000 * KB) + 'x'.repeat(64 * KB)).answer
  })
  expect(new Set((await Promise.all(answers)).map(statusOf))).toEqual(new Set([413, 401]))
  expect(counts).toEqual({ answered: 0, buffered: 0 })
})

test.each([
  ['two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n', 400],
  ['a whole address', head('http://elsewhere.example/', '', 'GET'), 400],
  ['a router state that is no text', head('/', 'Next-Router-State-Tree: %E0%A4\r\n', 'GET'), 400],
  ['a router state that is no JSON', head('/', 'Next-Router-State-Tree: broken\r\n', 'GET'), 400],
  ['a router state of another form', head('/', 'Next-Router-State-Tree: %5B%5D\r\n', 'GET'), 400],
  ['a router state', head('/', 'Next-Router-State-Tree: %5B%22%22%2C%7B%7D%5D\r\n', 'GET'), 200],
  ['an unknown method', head('/', '', 'PROPFIND'), 405],
])('answers %s', async (_what, bytes, status) => {
  const { port, counts } = await listen()
  expect(statusOf(await send(port, bytes).answer)).toBe(status)
  expect(counts.answered).toBe(status === 200 ? 1 : 0)
})

test('answers connections beyond the bounds with 503', async () => {
  const one = head('/', '', 'GET')
  for (const bounds of [{ most: 3 }, { mostPerAddress: 3 }]) {
    const { port } = await listen(bounds)
    const idle = Array.from({ length: 3 }, () => send(port, ''))
    await Promise.all(idle.map(({ socket }) => new Promise((done) => socket.once('connect', done))))
    const refused = await send(port, '').answer
    expect([statusOf(refused), /retry-after: 5/i.test(refused)]).toEqual([503, true])
    idle[0]?.socket.destroy()
    await expect.poll(async () => statusOf(await send(port, one).answer)).toBe(200)
  }
})
