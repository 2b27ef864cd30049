import http, { type ServerResponse } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { drainConnections, watchAnswers } from './drain-connections.ts'

test('what is under way is answered, then no connection keeps the server: neither one that was used nor one that never was', async () => {
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
  const closed = drainConnections(server, underWay, 0).then(() => 'closed')
  const first = await Promise.race([closed, new Promise<string>((done) => setTimeout(done, 250, 'still open'))])
  expect(first).toBe('still open')
  response.end('what was asked for')
  expect(await answered).toBe('what was asked for')
  expect(await closed).toBe('closed')
  agent.destroy()
  unused.destroy()
})

test('what a balancer sends on an idle connection while the server stops is answered, and the connection ends after it', async () => {
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
  await new Promise((done) => setTimeout(done, 250))
  expect(await ask()).toBe('close')
  // Nothing is left to wait for.
  await closed
  agent.destroy()
})
