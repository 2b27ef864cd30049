import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { exchange } from './exchange.ts'

/** Connections to one service at once. */
const CONNECTIONS = 64

const open: (Server | TcpServer)[] = []

afterEach(async () => {
  vi.useRealTimers()
  for (const server of open.splice(0)) await new Promise((done) => server.close(done))
})

function listen(server: Server | TcpServer): Promise<URL> {
  open.push(server)
  return new Promise((done) =>
    server.listen(0, '127.0.0.1', () => done(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/x`))),
  )
}

const post = (url: URL, timeoutMs = 2000) =>
  exchange({ method: 'POST', url, headers: {}, body: '{"a":1}', timeoutMs, reuseConnection: false })

test('an answer comes back whole, whatever its status', async () => {
  const url = await listen(createServer((_request, response) => response.writeHead(409).end('ünïcode')))
  expect(await post(url)).toMatchObject({ kind: 'answer', status: 409, body: 'ünïcode' })
})

test('a refused connection is not sent', async () => {
  const server = createServer()
  const url = await listen(server)
  await new Promise((done) => server.close(done))
  open.pop()
  expect(await post(url)).toEqual({ kind: 'not-sent', why: 'ECONNREFUSED' })
})

test('a name that does not resolve is not sent', async () => {
  expect(await post(new URL('http://nowhere.invalid/x'))).toMatchObject({ kind: 'not-sent' })
})

test('a connection cut before any answer is lost', async () => {
  const url = await listen(createTcpServer((socket) => socket.once('data', () => socket.destroy())))
  expect(await post(url)).toMatchObject({ kind: 'lost' })
})

test('a connection cut in the middle of the answer is lost', async () => {
  const url = await listen(
    createTcpServer((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"data":')),
    ),
  )
  expect(await post(url)).toMatchObject({ kind: 'lost' })
})

test('an answer above eight megabytes is lost', async () => {
  const url = await listen(createServer((_request, response) => response.end(Buffer.alloc(8 * 1024 * 1024 + 1))))
  expect(await post(url, 20_000)).toEqual({ kind: 'lost', why: 'the answer is too large' })
})

test('no answer in time is lost', async () => {
  const url = await listen(createServer(() => {}))
  const result = post(url, 100)
  expect(await result).toEqual({ kind: 'lost', why: 'time-out' })
})

test('a change opens a connection of its own, every time', async () => {
  const ports = new Set<number>()
  const url = await listen(
    createServer((request, response) => {
      ports.add(request.socket.remotePort ?? 0)
      response.end('{}')
    }),
  )
  for (let n = 0; n < 3; n += 1) await post(url)
  expect(ports.size).toBe(3)
})

test('a header that cannot be sent is not sent', async () => {
  const url = await listen(createServer((_request, response) => response.end()))
  const unsendable = {
    method: 'POST',
    url,
    headers: { 'x-step-up': '\u20AC' },
    timeoutMs: 2000,
    reuseConnection: false,
  }
  expect(await exchange(unsendable)).toEqual({ kind: 'not-sent', why: 'ERR_INVALID_CHAR' })
})

test('a read that waits for a free connection is not a failed one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const [full, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let arrived = 0
  const url = await listen(
    createServer((_request, response) => {
      arrived += 1
      if (arrived === CONNECTIONS) full.resolve()
      void held.promise.then(() => response.end())
    }),
  )
  const get = () => exchange({ method: 'GET', url, headers: {}, timeoutMs: 60_000, reuseConnection: true })
  const reads = Array.from({ length: CONNECTIONS + 1 }, get)
  await full.promise
  vi.advanceTimersByTime(10_000)
  held.resolve()
  expect(await reads.at(-1)).toMatchObject({ kind: 'answer' })
})

test('a connection without a TLS handshake is not sent', async () => {
  const url = await listen(createTcpServer((socket) => socket.once('data', () => socket.destroy())))
  expect(await post(new URL(url.href.replace('http:', 'https:')))).toMatchObject({ kind: 'not-sent' })
})
