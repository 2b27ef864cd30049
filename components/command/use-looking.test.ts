import { expect, test } from 'vitest'
import type { CommandView, Outcome } from '#lib/domain/command.ts'
import { pauseMs } from './use-looking.ts'

const UNKNOWN: Outcome = { class: 'unknown', checking: '', advice: '', traceId: null }
const ACCEPTED: Outcome = { class: 'accepted', lines: [], steps: [] }
const NO_EFFECT: Outcome = { class: 'no-effect', title: '', advice: '' }
const DONE: Outcome = { class: 'done', lines: [], steps: [] }

const view = (outcome: Outcome, change: Partial<CommandView> = {}): CommandView => ({
  id: '00000000-0000-4000-8000-0000000c0001',
  kind: 'deposit.confirm',
  title: 'Confirm deposit of 250.00 BZD',
  target: 'DEP~1',
  actorName: 'operator@example.com',
  sentAt: null,
  settledAt: null,
  outcome,
  nextLookAt: null,
  readable: true,
  settledByHand: false,
  ...change,
})

const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString()

test.each([UNKNOWN, ACCEPTED, NO_EFFECT])(
  'a page of an open change goes on asking where nobody looks yet: %o',
  (open) => {
    expect(pauseMs(view(open))).toBeLessThanOrEqual(60_000)
    expect(pauseMs(view(open, { settledByHand: true }))).toBeLessThanOrEqual(60_000)
  },
)

test('one whose end is soon to be known is asked after soon', () => {
  expect(pauseMs(view(UNKNOWN))).toBeLessThanOrEqual(5_000)
  const due = pauseMs(view(UNKNOWN, { nextLookAt: inMs(8_000) }))
  expect(due).toBeGreaterThan(8_000)
  expect(due).toBeLessThan(9_000)
})

test('a look that takes long is not asked after again at once', () => {
  expect(pauseMs(view(UNKNOWN, { nextLookAt: inMs(-20_000) }))).toBeGreaterThanOrEqual(1_000)
})

test('a known end is asked after no more', () => {
  expect(pauseMs(view(DONE))).toBeNull()
})
