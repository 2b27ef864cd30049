import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ThreadMessage } from '#lib/disputes/thread/thread.ts'
import type { Session } from '#lib/session/session.ts'
import { eventually } from '#lib/testing/eventually.ts'
import { ANA, BEN, caseOf, idOf, ME } from '#lib/testing/listed-cases.ts'
import { ok, ScriptedService } from '#lib/testing/scripted-service.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import { recordThread } from './thread-table.ts'
import { threadsFor } from './threads-for.ts'

const readOf = (number: number): string => `GET /api/v1/Dispute/${idOf(number)}/messages?page=1&pageSize=100`

const message: ThreadMessage & { readonly disputeCaseId: string } = {
  id: idOf(900),
  disputeCaseId: idOf(1),
  senderUserId: ANA,
  isSystemMessage: false,
  body: 'Where is it?',
  createdAt: '2026-07-01T11:00:00.0000000Z',
}

let service: ScriptedService

beforeAll(async () => {
  service = await ScriptedService.start()
})

afterAll(async () => {
  await service.stop()
})

beforeEach(async () => {
  service.reset()
  await freshConsole({ CORE_API_URL: service.url })
})

async function person(scopes: readonly string[], userId = ME): Promise<Session> {
  service.on(`GET /api/v1/Users/${userId}/scopes`, ok({ userId, roles: [], scopes }))
  return await openForTest(await signInForTest({ actor: `sso:${userId}`, userId }))
}
const arbitrator = () => person(['disputes:resolve'])

test('what was read of a thread is shown to who is proved to see everyone’s cases', async () => {
  await recordThread(idOf(1), [message])
  const threads = await threadsFor(await arbitrator(), [caseOf(1), caseOf(2, { status: 'RESOLVED' })], 'proved')
  expect([...threads]).toEqual([[idOf(1), expect.objectContaining({ turn: 'us', unread: 1, lastBy: 'raised-by' })]])
})

test.each([
  ['who is not proved to see everyone’s cases', ['disputes:resolve'], 'not-proved', ME],
  ['who does not work on cases', ['disputes:read'], 'proved', ME],
  ['a party of the case', ['disputes:resolve'], 'proved', ANA],
] as const)('nothing of it is shown to %s, and nothing is read for them', async (_who, scopes, adminView, userId) => {
  await recordThread(idOf(1), [message])
  const session = await person(scopes, userId)
  const found = [caseOf(1), caseOf(2, { counterpartyUserId: userId === ANA ? ANA : BEN })]
  expect(await threadsFor(session, found.slice(0, userId === ANA ? 2 : 1), adminView)).toEqual(new Map())
  expect(service.arrived.filter(({ what }) => what.includes('/messages'))).toEqual([])
})

test('threads of open cases are read for the next time, once in half a minute for all sessions', async () => {
  service.on(readOf(1), ok({ messages: [message], totalCount: 1 }))
  const session = await arbitrator()
  const resolved = caseOf(2, { status: 'RESOLVED' })
  expect(await threadsFor(session, [caseOf(1), resolved], 'proved')).toEqual(new Map())
  await eventually(async () => {
    const threads = await threadsFor(session, [caseOf(1), resolved], 'proved')
    expect(threads.get(idOf(1))).toMatchObject({ turn: 'us', unread: 1 })
  })
  const colleague = await person(['disputes:message'], idOf(77))
  expect(await threadsFor(colleague, [caseOf(1)], 'proved')).toHaveProperty('size', 1)
  expect(service.arrived.filter(({ what }) => what.includes('/messages'))).toHaveLength(1)
})
