import { expect, test } from 'vitest'
import type { CommandView, Outcome } from '#lib/commands/command.ts'
import { describeResolution, settledSentence } from './decision.ts'
import { type Decision, knownDecision, knownReversal } from './resolution.ts'

const disputed = { fromAccountId: 'sender', toAccountId: 'recipient', debit: '160.25', credit: '160' }

const resolved = (outcome: Outcome): CommandView => ({ outcome }) as CommandView

const done = (decision: Decision, reversal: string | null) =>
  resolved({
    class: 'done',
    ...describeResolution({ referenceId: 'X-1', decision, reason: 'Agreed.' }, disputed, reversal),
  })

test.each([
  ['nothing was sent', null, 'not-confirmed', null],
  ['a refund that named it', done('refund', 'REV-1'), { reference: 'REV-1' }, 'refund'],
  ['a refund that did not name it', done('refund', null), 'not-confirmed', 'refund'],
  ['a release', done('release', null), 'none', 'release'],
  ['a person’s word', resolved({ class: 'done', steps: [], lines: [] }), 'not-confirmed', null],
  ['an open end', resolved({ class: 'unknown', checking: '', advice: '' }), 'not-confirmed', null],
])('knows the reversing transaction after %s', (_what, resolution, reversal, decision) => {
  expect(knownReversal(resolution)).toEqual(reversal)
  expect(knownDecision(resolution)).toBe(decision)
})

test.each([
  ['a refund from here', { decision: 'refund' }, /sender was refunded/],
  ['a release from here', { decision: 'release' }, /recipient can spend the funds\.$/],
  ['a case decided elsewhere', { hasCase: true, wasDisputed: true }, /case says whether the sender was refunded/],
  ['a dispute without a case', { wasDisputed: true }, /A refund is not confirmed/],
  ['no known dispute', {}, /unless the sender was refunded/],
] as const)('says who has the money after %s', (_what, known, words) => {
  expect(settledSentence({ decision: null, hasCase: false, wasDisputed: false, ...known })).toMatch(words)
})
