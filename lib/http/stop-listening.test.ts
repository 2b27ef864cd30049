import http, { type ServerResponse } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { letGoAtStop } from './stop-listening.ts'

/** What `letGoAtStop` does at a signal, to be called by hand: a signal would reach the test runner itself. */
function stopListener(): () => void {
  const before = new Set<unknown>(process.listeners('SIGTERM'))
  letGoAtStop()
  const added = process.listeners('SIGTERM').find((listener) => !before.has(listener))
  if (added === undefined) throw new Error('nothing listens for the stop')
  return () => added('SIGTERM')
}

test('what is under way is answered, then no connection keeps the server: neither one that was used nor one that never was', async () => {
  const stop = stopListener()
  const arrived = Promise.withResolvers<ServerResponse>()
  const server = http.createServer((_request, response) => arrived.resolve(response))
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
  const closed = new Promise<string>((done) => server.close(() => done('closed')))
  stop()
  const first = await Promise.race([closed, new Promise<string>((done) => setImmediate(() => done('still open')))])
  expect(first).toBe('still open')
  response.end('what was asked for')
  expect(await answered).toBe('what was asked for')
  expect(await closed).toBe('closed')
  agent.destroy()
  unused.destroy()
})
