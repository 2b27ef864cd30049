import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { awaitText } from './await-text.ts'

let asked: string[]
let arrived: boolean

beforeEach(() => {
  vi.useFakeTimers()
  asked = []
  arrived = false
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    return Response.json({ ok: true, text: 'typed last', arrived })
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a text that is on its way is looked for until it arrives', async () => {
  const end = vi.fn()
  awaitText('case:1', { page: 'p', number: 7 }, end)
  await vi.advanceTimersByTimeAsync(4_000)
  expect(end).not.toHaveBeenCalled()
  arrived = true
  await vi.advanceTimersByTimeAsync(1_000)
  expect(end.mock.calls).toEqual([['typed last']])
  expect(asked[0]).toBe('/api/session/drafts?place=case%3A1&page=p&number=7')
})

test('one that does not come within half a minute is missing, and is not asked for any more', async () => {
  const end = vi.fn()
  awaitText('case:1', { page: 'p', number: null }, end)
  await vi.advanceTimersByTimeAsync(120_000)
  expect([end.mock.calls, asked.length]).toEqual([[[null]], 30])
  expect(asked[0]).toBe('/api/session/drafts?place=case%3A1&page=p')
})
