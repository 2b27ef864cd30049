import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import { guardAnswers, limitBodies, limitConnections, refuseBroken } from './guard-server.ts'

const HEADERS = { 'x-frame-options': 'DENY', 'content-security-policy': "default-src 'none'" }
const open: Server[] = []

afterEach(async () => {
  for (const server of open.splice(0)) {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
})

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(
    { headersTimeout: 300, requestTimeout: 60_000, connectionsCheckingInterval: 50 },
    listener,
  )
  guardAnswers(server, HEADERS)
  refuseBroken(server, HEADERS)
  limitBodies(server, () => 200)
  open.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return (server.address() as AddressInfo).port
}

/** What comes back for these bytes, until the server closes the connection. */
function ask(port: number, bytes: string): Promise<string> {
  return new Promise((done) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.on('data', (data) => {
      answer += data
    })
    socket.on('error', () => {})
    socket.on('close', () => done(answer))
  })
}

const asking = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${more}\r\n`

function expectGuarded(answer: string, status: number): void {
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(answer.toLowerCase()).toContain('\r\nx-frame-options: deny\r\n')
  expect(answer.toLowerCase()).toContain("\r\ncontent-security-policy: default-src 'none'\r\n")
  expect(answer.toLowerCase()).toContain('cache-control: no-store')
}

test('what a handler leaves out is filled in, what it sets is left alone', async () => {
  const port = await listen((request, response) => {
    if (request.url === '/plain') response.end('a')
    else if (request.url === '/redirect') response.writeHead(308, { location: '/b', 'cache-control': 'public' }).end()
    else response.writeHead(200, 'Fine', { 'content-security-policy': "default-src 'self'" }).end()
  })
  expectGuarded(await ask(port, asking('/plain')), 200)
  const redirect = await ask(port, asking('/redirect'))
  expectGuarded(redirect, 308)
  expect(redirect).toContain('location: /b')
  const own = await ask(port, asking('/own'))
  expect(own).toMatch(/^HTTP\/1.1 200 Fine/)
  expect(own).toContain("content-security-policy: default-src 'self'")
  expect(own).not.toContain("default-src 'none'")
})

test('nothing but a built file that is there may be kept', async () => {
  const port = await listen((request, response) => {
    const there = !request.url?.includes('missing')
    response.writeHead(there ? 200 : 404, { 'cache-control': 'public, max-age=31536000, immutable' }).end()
  })
  expect(await ask(port, asking('/_next/static/a.js'))).toContain('cache-control: public, max-age=31536000, immutable')
  for (const path of ['/_next/static/missing.js', '/deposits', '/_next/static/../deposits', '//_next/static/a.js']) {
    expect(await ask(port, asking(path)), path).toContain('cache-control: no-store')
  }
})

test('what node refuses by itself carries the headers too', async () => {
  const port = await listen((_request, response) => response.end())
  expectGuarded(await ask(port, 'NONSENSE\r\n\r\n'), 400)
  expectGuarded(await ask(port, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'), 400)
  expectGuarded(await ask(port, asking('/', `x: ${'a'.repeat(20_000)}\r\n`)), 431)
  expectGuarded(await ask(port, asking('/', 'Expect: something\r\n')), 417)
  expectGuarded(await ask(port, 'GET / HTTP/1.1\r\nHost: a\r\n'), 408)
})

test('a body that does not come is answered with 408, and the connection is gone', async () => {
  let requests = 0
  const port = await listen(() => {
    requests += 1
  })
  expectGuarded(await ask(port, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nx'), 408)
  expectGuarded(await ask(port, 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n'), 408)
  expect(requests).toBe(2)
})

test('an answer that takes longer than a body may is not cut', async () => {
  const port = await listen((request, response) => {
    request.resume()
    setTimeout(() => response.end('at last'), 400)
  })
  expect(await ask(port, asking('/'))).toContain('at last')
  const sent = 'POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx'
  expect(await ask(port, sent)).toContain('at last')
})

test('counts connections of an IPv6 network together, and refusals', () => {
  const server = createServer().removeAllListeners('connection')
  let refused = 0
  limitConnections(server, { most: 10, mostPerAddress: 2 }, {}, () => (refused += 1))
  const isOpen = (remoteAddress: string) => {
    const socket = Object.assign(new PassThrough(), { remoteAddress, destroySoon: () => {} })
    server.emit('connection', socket)
    return socket.writable
  }
  expect(['2001:db8::1', '2001:db8::2'].map(isOpen)).toEqual([true, true])
  expect(['2001:db8::3', '2001:db8:0:1::1'].map(isOpen)).toEqual([false, true])
  expect(['::ffff:10.0.0.1', '10.0.0.1', '::ffff:10.0.0.1', '10.0.0.2'].map(isOpen)).toEqual([true, true, false, true])
  expect(refused).toBe(2)
})
