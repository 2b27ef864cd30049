// @vitest-environment happy-dom
import { act, createElement } from 'react'
import { expect, test, vi } from 'vitest'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { beginShowing, CardNumberOnce, extendShowing, secondsLeft } from './card-number-once.tsx'

const NOW = 1_700_000_000_000

test('a card number is shown for sixty seconds, and never longer, wherever in a second that begins', () => {
  for (const began of [NOW, NOW + 1, NOW + 999]) {
    const showing = beginShowing(began, false)
    expect(secondsLeft(showing, began)).toBeLessThanOrEqual(60)
    expect(secondsLeft(showing, began)).toBeGreaterThanOrEqual(59)
    expect(secondsLeft(showing, began + 58_000)).toBeGreaterThan(0)
    expect(secondsLeft(showing, began + 60_000)).toBe(0)
  }
})

test('it is extended once by sixty seconds, and not a second time', () => {
  const showing = beginShowing(NOW, false)
  const extended = extendShowing(showing)
  expect(secondsLeft(extended, NOW + 30_000)).toBe(90)
  expect(extendShowing(extended)).toEqual(extended)
  expect(secondsLeft(extendShowing(extended), NOW + 120_000)).toBe(0)
})

test('masking it neither stops its time nor gives it more', () => {
  const showing = beginShowing(NOW, true)
  expect(showing.masked).toBe(true)
  expect(secondsLeft(showing, NOW + 45_000)).toBe(15)
  expect(extendShowing(showing).masked).toBe(true)
})

test('a clock set back does not lengthen its time', async () => {
  vi.useFakeTimers({ now: NOW })
  const onEnd = vi.fn()
  await renderPage(createElement(CardNumberOnce, { cardNumber: '4000000000000002', onEnd }))
  vi.setSystemTime(NOW - 600_000)
  await act(() => vi.advanceTimersByTimeAsync(59_000))
  expect(onEnd).not.toHaveBeenCalled()
  await act(() => vi.advanceTimersByTimeAsync(1_000))
  expect(onEnd).toHaveBeenCalledWith('time')
  await closePage()
  vi.useRealTimers()
})
