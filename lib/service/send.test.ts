import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import pino from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { peekPerProcess, putPerProcess } from '#lib/config/per-process.ts'
import { endpoints } from '#lib/contract/endpoints.ts'
import { DatabaseError } from '#lib/database/database-error.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import { send } from './client.ts'

const SECRET = 'bearer-of-nobody'

let printed: string
let whole: unknown

beforeEach(async () => {
  await freshConsole()
  printed = ''
  const sink = new Writable({
    write(line, _encoding, done) {
      printed += String(line)
      done()
    },
  })
  whole = peekPerProcess('store')
  putPerProcess('log', pino({ base: null }, sink))
})
afterEach(() => {
  putPerProcess('store', whole)
  putPerProcess('log', pino({ level: 'silent' }))
})

test.each([
  ['its store fails', () => new DatabaseError('ECONNRESET', 'select'), 'store', 'DatabaseError'],
  [
    'its store could not be opened',
    () => new Error(SECRET, { cause: new DatabaseError('ECONNREFUSED', 'connect') }),
    'store',
    'Error',
  ],
  ['something of its own goes wrong', () => new TypeError(SECRET), 'console', 'TypeError'],
])(
  'when %s before anything goes out, the console says which, and one line in the log does',
  async (_what, failure, why, name) => {
    const session = await openForTest(await signInForTest())
    putPerProcess('store', Promise.reject(failure()))
    const body = { referenceId: 'DEP~1', bankReference: 'ATL-1' }
    expect(await send(session, endpoints.transactions.confirmDeposit, {}, body)).toEqual({ kind: 'not-sent', why })
    const lines = printed.trim().split('\n')
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ event: 'send', why, error: name })
    expect(printed).not.toMatch(new RegExp(`${SECRET}|DEP~1|ATL-1`))
  },
)

test('sends each change on another connection', async () => {
  const [server, connected] = [createServer((_request, response) => response.end('{}')), vi.fn()]
  await new Promise<void>((done) => server.on('connection', connected).listen(0, '127.0.0.1', done))
  await freshConsole({ CORE_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  const session = await openForTest(await signInForTest())
  for (const bankReference of ['ATL-1', 'ATL-2'])
    expect(
      await send(session, endpoints.transactions.confirmDeposit, {}, { referenceId: 'DEP~1', bankReference }),
    ).toMatchObject({ kind: 'answer', status: 200 })
  expect(connected).toHaveBeenCalledTimes(2)
  server.closeAllConnections()
  server.close()
})
