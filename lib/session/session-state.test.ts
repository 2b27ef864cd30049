import { expect, test } from 'vitest'
import { beaconPauseMs, countdown, warnBeforeMs } from './session-state.ts'

const MINUTE = 60_000

test.each([
  [15, 2 * MINUTE, MINUTE],
  [3, 2 * MINUTE, MINUTE],
  [2, MINUTE, MINUTE],
  [1, MINUTE / 2, MINUTE / 2],
])('of %d idle minutes the last %d ms are warned of, with a beacon every %d ms', (minutes, warn, pause) => {
  expect(warnBeforeMs(minutes * MINUTE)).toBe(warn)
  expect(beaconPauseMs(minutes * MINUTE)).toBe(pause)
})

test.each([
  [120_000, '2:00'],
  [119_001, '2:00'],
  [61_000, '1:01'],
  [1, '0:01'],
  [0, '0:00'],
  [-5, '0:00'],
])('%d ms are %s', (ms, text) => {
  expect(countdown(ms)).toBe(text)
})
