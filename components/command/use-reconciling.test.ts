import { expect, test } from 'vitest'
import type { Outcome } from '#lib/commands/command.ts'
import { commandView } from '#lib/commands/test-command.ts'
import { pauseMs } from './use-reconciling.ts'

const UNKNOWN: Outcome = { class: 'unknown', checking: '', advice: '' }
const ACCEPTED: Outcome = { class: 'accepted', lines: [], steps: [] }
const NO_EFFECT: Outcome = { class: 'no-effect', title: '', advice: '' }
const DONE: Outcome = { class: 'done', lines: [], steps: [] }

const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString()

test.each([UNKNOWN, ACCEPTED, NO_EFFECT])(
  'a page of an open change goes on asking where nobody looks yet: %o',
  (open) => {
    expect(pauseMs(commandView(open))).toBeLessThanOrEqual(60_000)
    expect(pauseMs(commandView(open, { settledByHand: true }))).toBeLessThanOrEqual(60_000)
  },
)

test('one whose end is soon to be known is asked after soon', () => {
  expect(pauseMs(commandView(UNKNOWN))).toBeLessThanOrEqual(5_000)
  const due = pauseMs(commandView(UNKNOWN, { nextReconcileAt: inMs(8_000) }))
  expect(due).toBeGreaterThan(8_000)
  expect(due).toBeLessThan(9_000)
})

test('a look that takes long is not asked after again at once', () => {
  expect(pauseMs(commandView(UNKNOWN, { nextReconcileAt: inMs(-20_000) }))).toBeGreaterThanOrEqual(1_000)
})

test('one that may have been confirmed just before the page was read is asked after', () => {
  expect(pauseMs(commandView({ class: 'prepared' }))).toBeLessThanOrEqual(5_000)
})

test('a known end is asked after no more', () => {
  expect(pauseMs(commandView(DONE))).toBeNull()
})
