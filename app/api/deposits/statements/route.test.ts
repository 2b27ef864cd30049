import { beforeEach, expect, test, vi } from 'vitest'
import { freshConsole, testEnvironment } from '#lib/testing/test-console.ts'
import { testService } from '#lib/testing/test-service.ts'
import { handleOf } from '#lib/testing/test-session.ts'
import { csvOf, MAPPING } from '#lib/testing/test-statement.ts'
import { POST } from './route.ts'

const OPERATOR = '00000000-0000-4000-8000-000000000001'

const visitor = vi.hoisted(() => ({ handle: '' }))
vi.mock('next/headers', () => ({ cookies: async () => ({ get: () => ({ value: visitor.handle }) }) }))

beforeEach(async () => {
  const service = await testService()
  await freshConsole({ CORE_API_URL: service.url })
  visitor.handle = await handleOf(service, 'operator@example.com', OPERATOR)
})

test.each(['', 'x', 'a\u0000'])('previews a file that replaces %j as a new one', async (replaces) => {
  const body = new FormData()
  body.set('file', new File([new Uint8Array(csvOf([{}, { reference: 'A', amount: '-10.00' }]))], 'July.csv'))
  body.set('mapping', JSON.stringify(MAPPING))
  body.set('replaces', replaces)
  const origin = testEnvironment.NEXTAUTH_URL ?? ''
  const headers = { 'x-console': '1', 'sec-fetch-site': 'same-origin', origin }
  const answer = await POST(new Request(`${origin}/api/deposits/statements`, { method: 'POST', headers, body }))
  expect(await answer.json()).toMatchObject({ ok: true, imported: { kind: 'preview' } })
})
