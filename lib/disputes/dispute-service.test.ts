import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { STORE_OUT } from '#lib/commands/send.ts'
import { log } from '#lib/config/log.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import type { Session } from '#lib/session/session.ts'
import { FailingStore } from '#lib/testing/failing-store.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { testService } from '#lib/testing/test-service.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { listCases, readCase, threadService } from './dispute-service.ts'

const CASE = {
  id: '00000000-0000-4000-8000-0000000c0001',
  referenceId: 'reference',
  raisedByUserId: '00000000-0000-4000-8000-000000000011',
  counterpartyUserId: '00000000-0000-4000-8000-000000000012',
  status: 'OPEN',
  reason: 'The goods never came.',
  createdAt: '2026-07-01T10:00:00.1234567Z',
}

/** A service that lists one case as it should be, one of a state that is new, and a row that is no case. */
let server: Server
let session: Session
/** The first page of the thread of the case. */
let messages: unknown
/** Also by reads that earlier tests of this process began. */
const requests: string[] = []

beforeAll(async () => {
  const cases = [CASE, { ...CASE, status: 'ESCALATED' }, { ...CASE, raisedByUserId: 'ana' }]
  server = createServer((request, response) => {
    if (request.url?.startsWith('/api/v1/Dispute')) requests.push(request.url)
    const data = request.url?.endsWith(CASE.id) ? { ...CASE, messages } : { cases, totalCount: 45 }
    response.end(JSON.stringify({ data }))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  await freshConsole({ CORE_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  session = await signedIn(await testService(), 'admin@example.com', '00000000-0000-4000-8000-000000000003')
})

afterAll(() => {
  server.close()
})

test('a row that does not fit the contract is unreadable, and the rest of the list stands', async () => {
  const listed = await listCases(session, { all: true, status: 'OPEN', page: 2, pageSize: 20 })
  expect(listed).toMatchObject({
    ok: true,
    value: {
      cases: [
        { readable: true, value: { id: CASE.id, status: 'OPEN', resolvedAt: null } },
        { readable: true, value: { status: 'ESCALATED' } },
        { readable: false },
      ],
      totalCount: 45,
    },
  })
  expect(requests).toContain('/api/v1/Dispute?all=true&status=OPEN&page=2&pageSize=20')
})

test('what is not asked for is left out', async () => {
  await listCases(session, { all: false, status: null, page: 1, pageSize: 100 })
  expect(requests).toContain('/api/v1/Dispute?page=1&pageSize=100')
})

test.for([undefined, null, [], [{ id: 7 }], {}])('reads a case with %j for messages', async (given) => {
  messages = given
  const read = await readCase(session, CASE.id)
  expect(read).toMatchObject({ ok: true, value: { id: CASE.id } })
  expect(read.ok && read.value).not.toHaveProperty('messages')
})

test('a store that is out is no silent service', async () => {
  putPerProcess('access tokens', undefined)
  const { failing, remove } = await FailingStore.install()
  const logged = vi.spyOn(log(), 'error')
  let read: unknown
  await failing.live(1, 'before', async () => {
    read = await threadService(session).readCase(CASE.id)
  })
  remove()
  expect(read).toMatchObject({ problem: { kind: 'console', status: 503, title: STORE_OUT } })
  expect(logged).not.toHaveBeenCalledWith(expect.objectContaining({ event: 'request' }))
  logged.mockRestore()
})
