import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { announceSessionBack } from '#components/service/session-events.ts'
import { reportSeen } from './use-unseen.ts'

const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
const message = { id: '00000000-0000-4000-8000-0000000c0002', createdAt: '2026-07-01T10:00:00.0000000Z' }

let told: (readonly [path: string, body: unknown])[]
/** What the console answers with; null: it cannot be reached. */
let status: number | null
let stop = () => {}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', page)
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    if (init.method === 'POST') told.push([path, JSON.parse(String(init.body))])
    if (status === null) throw new Error('away')
    const problem = status < 400 ? {} : { problem: { kind: 'console' } }
    return Response.json({ ok: status < 400, ...problem }, { status })
  })
  page.visibilityState = 'visible'
  told = []
  status = 200
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const look = (visible: boolean) => {
  page.visibilityState = visible ? 'visible' : 'hidden'
  page.dispatchEvent(new Event('visibilitychange'))
}

test('a message that is in view for a moment is told, once', async () => {
  stop = reportSeen('case 1', message)
  await wait(700)
  expect(told).toEqual([])
  await wait(200)
  expect(told).toEqual([['/api/disputes/case%201/seen', message]])
  look(true)
  await wait(60_000)
  expect(told).toHaveLength(1)
})

test('who passes by has not seen it', async () => {
  stop = reportSeen('case', message)
  await wait(500)
  stop()
  await wait(60_000)
  expect(told).toEqual([])
})

test('in a window that cannot be seen nothing is in view, until it can', async () => {
  look(false)
  stop = reportSeen('case', message)
  await wait(60_000)
  expect(told).toEqual([])
  look(true)
  await wait(500)
  look(false)
  await wait(60_000)
  expect(told).toEqual([])
  look(true)
  await wait(800)
  expect(told).toHaveLength(1)
})

test.each([
  ['cannot be reached', null, 2],
  ['is without its store', 503, 2],
  ['limits requests', 429, 2],
  ['refuses', 403, 1],
])('a console that %s is told again only where that may help', async (_what, answer, times) => {
  status = answer
  stop = reportSeen('case', message)
  await wait(800)
  status = 200
  await wait(60_000)
  expect(told).toHaveLength(times)
})

test('is sent again once the session is back', async () => {
  status = 401
  stop = reportSeen('case', message)
  await wait(60_000)
  expect(told).toHaveLength(1)
  status = 200
  announceSessionBack()
  await wait(800)
  expect(told).toHaveLength(2)
  announceSessionBack()
  await wait(60_000)
  expect(told).toHaveLength(2)
})
