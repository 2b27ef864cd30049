import http, { type ServerResponse } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { countAnswers, drainConnections } from './drain-connections.ts'

test('what is under way is answered, then no connection keeps the server: neither one that was used nor one that never was', async () => {
  const arrived = Promise.withResolvers<ServerResponse>()
  const server = http.createServer((_request, response) => arrived.resolve(response))
  const underWay = countAnswers(server)
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
  const closed = drainConnections(server, underWay).then(() => 'closed')
  const first = await Promise.race([closed, new Promise<string>((done) => setTimeout(done, 250, 'still open'))])
  expect(first).toBe('still open')
  response.end('what was asked for')
  expect(await answered).toBe('what was asked for')
  expect(await closed).toBe('closed')
  agent.destroy()
  unused.destroy()
})
