import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { announceSessionBack } from '#components/service/session-events.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { start } from './export-strip.tsx'

beforeEach(() => {
  vi.stubGlobal('window', new EventTarget())
})
afterEach(() => {
  vi.unstubAllGlobals()
})

test('restarts an export that a session’s end interrupted', async () => {
  const requests: string[] = []
  const problems = {
    '/over': problemOf('session-over', { status: 401 }),
    '/refused': problemOf('service', { status: 403 }),
  } as const
  vi.stubGlobal('fetch', async (address: keyof typeof problems) => {
    requests.push(address)
    const problem = problems[address]
    return Response.json({ ok: false, problem }, { status: problem.status ?? 500 })
  })
  start('/over')
  start('/refused')
  await vi.waitFor(() => expect(requests).toHaveLength(2))
  await new Promise((done) => setTimeout(done, 0))
  announceSessionBack()
  await vi.waitFor(() => expect(requests).toEqual(['/over', '/refused', '/over']))
})
