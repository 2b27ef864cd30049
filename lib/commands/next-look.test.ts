import { expect, test } from 'vitest'
import type { Outcome } from '#lib/commands/command.ts'
import { nextReadMs } from './command.ts'
import { ACCEPTED, commandView } from './test-command.ts'

const UNKNOWN: Outcome = { class: 'unknown', checking: '', advice: '' }
const NO_EFFECT: Outcome = { class: 'no-effect', title: '', advice: '' }
const DONE: Outcome = { class: 'done', lines: [], steps: [] }

const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString()

test.each([UNKNOWN, ACCEPTED, NO_EFFECT])('an open change is read again where nobody looks yet: %o', (open) => {
  expect(nextReadMs(commandView(open))).toBeLessThanOrEqual(60_000)
  expect(nextReadMs(commandView(open, { settledByHand: true }))).toBeLessThanOrEqual(60_000)
})

test('one whose end is soon to be known is read again soon', () => {
  expect(nextReadMs(commandView(UNKNOWN))).toBeLessThanOrEqual(5_000)
  const due = nextReadMs(commandView(UNKNOWN, { nextReconcileAt: inMs(8_000) }))
  expect(due).toBeGreaterThan(8_000)
  expect(due).toBeLessThan(9_000)
})

test('a look that takes long is not followed by another at once', () => {
  expect(nextReadMs(commandView(UNKNOWN, { nextReconcileAt: inMs(-20_000) }))).toBeGreaterThanOrEqual(1_000)
})

test('one that may have been confirmed just before it was read is read again', () => {
  expect(nextReadMs(commandView({ class: 'prepared' }))).toBeLessThanOrEqual(5_000)
})

test('a known end is read no more', () => {
  expect(nextReadMs(commandView(DONE))).toBeNull()
})
