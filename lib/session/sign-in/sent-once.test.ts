import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sentOnce } from './sent-once.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Answers with how often it was asked. */
function counted() {
  let times = 0
  return async () => {
    times += 1
    return new Response(String(times))
  }
}

test('a form that is sent again within two seconds is worked once, and each sending gets the whole answer', async () => {
  const answer = counted()
  const texts = async (...form: string[]) => (await sentOnce(form, answer)).text()
  expect(await Promise.all([texts('/', 'one'), texts('/', 'one')])).toEqual(['1', '1'])
  expect(await texts('/', 'one')).toBe('1')
  expect(await texts('/', 'another')).toBe('2')
  await vi.advanceTimersByTimeAsync(2_000)
  expect(await texts('/', 'one')).toBe('3')
})

test('a form whose answer failed is worked anew once the two seconds are over', async () => {
  const failing = () => Promise.reject(new Error('out'))
  await expect(sentOnce(['/', 'failed'], failing)).rejects.toThrow('out')
  await vi.advanceTimersByTimeAsync(2_000)
  expect(await (await sentOnce(['/', 'failed'], counted())).text()).toBe('1')
})
