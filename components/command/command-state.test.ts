import { expect, test } from 'vitest'
import type { CommandView, Outcome } from '#lib/commands/command.ts'
import { ACCEPTED, commandView } from '#lib/commands/test-command.ts'
import { blockingReason } from './command-state.ts'

const reasonOf = (outcome: Outcome, change: Partial<CommandView> = {}) =>
  blockingReason({ state: { step: 'outcome', command: commandView(outcome, change), once: null, notice: null } })

const UNKNOWN: Outcome = { class: 'unknown', checking: '', advice: '' }

test.each<[Outcome, Partial<CommandView>, RegExp]>([
  [{ class: 'sending' }, {}, /still being checked/],
  [UNKNOWN, {}, /still being checked/],
  [UNKNOWN, { settledByHand: true }, /Settle it first/],
  [ACCEPTED, {}, /still being checked/],
  [ACCEPTED, { settledByHand: true }, /Settle it first/],
  [{ class: 'prepared' }, { yours: true }, /cancel it/],
])('while the last one has no end, the same change cannot begin, and it says why: %o', (outcome, change, words) => {
  expect(reasonOf(outcome, change)).toMatch(words)
})

test('what waits for somebody else, of which nothing was sent, is in nobody’s way', () => {
  expect(reasonOf({ class: 'prepared' }, { yours: false })).toBeNull()
})

test.each<Outcome>([
  { class: 'done', lines: [], steps: [] },
  { class: 'failed', title: '', lines: [] },
  { class: 'no-effect', title: '', advice: '' },
  { class: 'refused', sent: true, title: '', advice: '', problem: null },
  { class: 'changed', before: [], now: [] },
])('after an end the same change may begin: %o', (outcome) => {
  expect(reasonOf(outcome)).toBeNull()
})

test('shows hidden characters in the name of who asked for approval', () => {
  const approval: Outcome = { class: 'approval', reason: '', needed: 1, approvedBy: [], expiresAt: '' }
  expect(reasonOf(approval, { actorName: 'ana\u202E' })).toBe('ana[U+202E] has already asked for approval of this.')
})
