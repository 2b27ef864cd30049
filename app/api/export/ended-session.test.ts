import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { recordAudit } from '#lib/session/audit-trail.ts'
import { endSession } from '#lib/session/end-session.ts'
import { store } from '#lib/store/store.ts'
import { ok, ScriptedService } from '#lib/testing/scripted-service.ts'
import { freshConsole, testEnvironment } from '#lib/testing/test-console.ts'
import { openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import { GET } from './activity/route.ts'

const visitor = vi.hoisted(() => ({ handle: '' }))
vi.mock('next/headers', () => ({ cookies: async () => ({ get: () => ({ value: visitor.handle }) }) }))

let service: ScriptedService

beforeAll(async () => {
  service = await ScriptedService.start()
})
afterAll(() => service.stop())

test('an export ends with its session', async () => {
  await freshConsole({ CORE_API_URL: service.url })
  service.on('GET /api/v1/Users/1/scopes', ok({ roles: [], scopes: [] }))
  visitor.handle = await signInForTest()
  const session = await openForTest(visitor.handle)
  const shared = { by: session, kind: 'view.share', facts: { view: 'mine', table: 'changes' } } as const
  await recordAudit(await store(), ...Array(600).fill(shared))
  const address = `${testEnvironment.NEXTAUTH_URL}/api/export/activity`
  const { body } = await GET(new Request(address, { headers: { 'x-console': '1', 'sec-fetch-site': 'same-origin' } }))
  const frames = body?.getReader()
  const kinds: string[] = []
  for (let frame = await frames?.read(); frame?.value !== undefined; frame = await frames?.read()) {
    const { kind, problem = null } = JSON.parse(Buffer.from(frame.value).toString())
    kinds.push(problem?.kind ?? kind)
    if (kind === 'rows') await endSession(session.id, 'ended-by-owner')
  }
  expect(kinds).toEqual(['start', 'rows', 'session-over'])
})
