import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import pino from 'pino'
import { afterEach, expect, test } from 'vitest'
import { templateOf } from '#lib/authorization/routes.ts'
import { LINES, log, setRequestPerson } from '#lib/config/log.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import { observeRequests } from './observe-requests.ts'

const PERSON = '00000000-0000-4000-8000-000000000001'
const SECRET = 'a-secret-of-this-test'

let printed = ''
afterEach(() => {
  putPerProcess('log', undefined)
  printed = ''
})

function keepLog(): void {
  const sink = new Writable({
    write(chunk, _encoding, done) {
      printed += chunk
      done()
    },
  })
  putPerProcess('log', pino(LINES, sink))
}

const lines = () =>
  printed.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>]))

/** Asks a server once, whose answers are observed as those of the console. */
async function ask(path: string, answer: RequestListener): Promise<Response> {
  keepLog()
  const around = observeRequests({ templateOf, logRequests: true })
  const server = createServer((request, response) => around(request, response, () => answer(request, response)))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const headers = { cookie: SECRET, authorization: SECRET, 'x-request-id': SECRET, traceparent: SECRET }
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { headers })
  await response.text()
  await new Promise((done) => server.close(done))
  return response
}

test('each line of a request names it, its route and who asks, and nothing that the browser sent', async () => {
  const response = await ask(`/users/${SECRET}?token=${SECRET}`, async (_request, response) => {
    setRequestPerson(PERSON)
    await new Promise(setImmediate)
    log().warn({ event: 'on the way' })
    response.writeHead(503).end()
  })
  const requestId = response.headers.get('x-request-id')
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/)
  const about = { requestId, route: '/users/[id]', person: PERSON }
  expect(lines()).toEqual([
    expect.objectContaining({ event: 'on the way', ...about }),
    expect.objectContaining({ event: 'request', method: 'GET', status: 503, ms: expect.any(Number), ...about }),
  ])
  expect(printed).not.toContain(SECRET)
})

test('logs no machine requests, and unknown routes as other', async () => {
  await ask('/api/ready', (_request, response) => response.end())
  expect(printed).toBe('')
  await ask(`/wp-admin/${SECRET}`, (_request, response) => response.writeHead(404).end())
  expect(lines()).toEqual([expect.objectContaining({ route: 'other', status: 404 })])
  expect(printed).not.toContain(SECRET)
})
