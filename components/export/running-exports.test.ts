import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { announceSessionBack } from '#components/service/session-events.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { start } from './running-exports.ts'

beforeEach(() => {
  vi.stubGlobal('window', new EventTarget())
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const settled = () => new Promise((done) => setTimeout(done, 0))

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
  await settled()
  announceSessionBack()
  await settled()
  expect(requests).toEqual(['/over', '/refused', '/over'])
})
