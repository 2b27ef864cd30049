import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { STATUS } from '#lib/testing/gated-deposit.ts'
import { refused, ScriptedService } from '#lib/testing/scripted-service.ts'
import { freshConsole, testEnvironment } from '#lib/testing/test-console.ts'
import { signInForTest } from '#lib/testing/test-sessions.ts'
import { POST } from './route.ts'

const browser = vi.hoisted(() => ({ handle: '' }))
vi.mock('next/headers', () => ({ cookies: async () => ({ get: () => ({ value: browser.handle }) }) }))

let service: ScriptedService

beforeAll(async () => {
  service = await ScriptedService.start()
})
beforeEach(async () => {
  service.reset()
  await freshConsole({ CORE_API_URL: service.url })
  browser.handle = await signInForTest()
})
afterAll(() => service.stop())

test.each([
  [200, 503],
  [204, 503],
  [304, 503],
  [403, 403],
  [429, 429],
  [500, 500],
  [999, 503],
])('passes only an error status of the service on: %i', async (status, passed) => {
  service.on(STATUS, status === 403 ? refused(status, 'core::authorization::scope') : { status, body: '' })
  const origin = testEnvironment.NEXTAUTH_URL ?? ''
  const headers = { 'x-console': '1', 'sec-fetch-site': 'same-origin', origin, 'content-type': 'application/json' }
  const body = JSON.stringify({ code: '111111' })
  const response = await POST(new Request(`${origin}/api/passkeys/challenge`, { method: 'POST', headers, body }))
  expect([response.status, await response.json()]).toMatchObject([passed, { ok: false, problem: {} }])
})
