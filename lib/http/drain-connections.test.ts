import http, { type ServerResponse } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { drainConnections, watchAnswers } from './shutdown.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** Lets the rounds of a drain pass until it is over: sockets close in real time. */
async function untilClosed(closed: Promise<void>): Promise<void> {
  let isClosed = false
  void closed.then(() => {
    isClosed = true
  })
  while (!isClosed) {
    await vi.advanceTimersByTimeAsync(1_000)
    await new Promise(setImmediate)
  }
}

test('answers open requests, then closes used and unused connections', async () => {
  const arrived = Promise.withResolvers<ServerResponse>()
  const server = http.createServer((_request, response) => arrived.resolve(response))
  const underWay = watchAnswers(server)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo

  const unused = net.connect(port, '127.0.0.1')
  await new Promise((connected) => unused.once('connect', connected))
  const agent = new http.Agent({ keepAlive: true })
  const answered = new Promise<string>((done, fail) => {
    const request = http.get({ host: '127.0.0.1', port, agent }, (response) => {
      response.setEncoding('utf8').on('data', done)
    })
    request.on('error', fail)
  })
  const response = await arrived.promise
  let isClosed = false
  const closed = drainConnections(server, underWay, 0).then(() => {
    isClosed = true
  })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(isClosed).toBe(false)
  response.end('what was asked for')
  expect(await answered).toBe('what was asked for')
  await untilClosed(closed)
  agent.destroy()
  unused.destroy()
})

test('answers a late request on an idle connection, then closes', async () => {
  const server = http.createServer((_request, response) => response.end('answered'))
  const underWay = watchAnswers(server)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  const ask = () =>
    new Promise<string>((done, fail) => {
      const request = http.request({ host: '127.0.0.1', port, agent, method: 'POST' }, (response) => {
        response.resume().once('end', () => done(response.headers.connection ?? ''))
      })
      request.once('error', fail).end()
    })
  expect(await ask()).toBe('keep-alive')
  const closed = drainConnections(server, underWay, 60_000)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(await ask()).toBe('close')
  await untilClosed(closed)
  agent.destroy()
})
