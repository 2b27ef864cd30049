import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { mayLog } from './log.ts'
import { boundedCache, isFirstOf } from './per-process.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

const move = (ms: number) => void vi.setSystemTime(Date.now() + ms)

test('entries expire although the clock was set back', () => {
  const cache = boundedCache<string>(10, 2_000)
  cache.set('key', 'value')
  move(-6 * 3_600_000)
  expect(cache.has('key')).toBe(true)
  move(1_999)
  expect(cache.has('key')).toBe(true)
  move(2)
  expect(cache.has('key')).toBe(false)
})

test.each<[string, (name: string) => boolean]>([
  ['isFirstOf', (name) => isFirstOf(name, 'key', 60_000)],
  ['mayLog', (name) => mayLog(name, 1)],
])('%s is true again although the clock was set back', (_name, again) => {
  const name = randomUUID()
  expect([again(name), again(name)]).toEqual([true, false])
  move(-3_600_000)
  expect(again(name)).toBe(false)
  move(60_001)
  expect(again(name)).toBe(true)
})
