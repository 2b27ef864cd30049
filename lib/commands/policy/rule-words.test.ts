import { describe, expect, test } from 'vitest'
import { readPolicy } from '#lib/config/policy.ts'
import { policyKinds } from '#lib/kind-names.ts'
import { needOf } from './gate.ts'
import { breachWords, needSentence, ruleSentence } from './rule-words.ts'

function rulesOf(...rules: readonly object[]) {
  const policy = readPolicy(JSON.stringify({ rules }))
  if ('faults' in policy) throw new Error(policy.faults.join('\n'))
  return policy.rules
}

describe('one rule in one sentence', () => {
  test.each<[rule: object, sentence: string]>([
    [{ kind: 'terminal.disable', passkey: true }, 'Disabling a terminal needs your passkey.'],
    [{ kind: 'card.block', approval: {} }, 'Blocking a card needs one approval.'],
    [
      { kind: 'deposit.confirm', when: { amountAtLeast: '50' }, approval: { by: 1 } },
      'Confirming a deposit needs one approval if the amount is 50.00 BZD or more.',
    ],
    [
      { kind: 'deposit.confirm', when: { amountAtLeast: '100' }, approval: { by: 2 } },
      'Confirming a deposit needs 2 approvals if the amount is 100.00 BZD or more.',
    ],
    [
      { kind: 'deposit.confirm', approval: { by: 1, scope: 'core:cards:manage', passkey: true } },
      'Confirming a deposit needs one approval by someone with core:cards:manage, confirmed with a passkey.',
    ],
    [
      { kind: 'card.issue', approval: { by: 3, scope: 'core:cards:manage', passkey: true }, passkey: true },
      'Issuing a card needs 3 approvals by people with core:cards:manage, each confirmed with a passkey and your passkey.',
    ],
    [
      { kind: 'deposit.confirm', when: { foundInText: true }, passkey: true },
      'Confirming a deposit needs your passkey if the reference was found in a statement line.',
    ],
    [
      {
        kind: 'deposit.confirm',
        when: { amountAtLeast: '1000.5', enteredByHand: true, freedByHand: true },
        passkey: true,
      },
      'Confirming a deposit needs your passkey if the amount is 1,000.50 BZD or more and the reference was entered or accepted by hand and the bank reference was freed by hand.',
    ],
    [
      { kind: 'dispute.resolve', when: { decision: 'refund', amountAtLeast: '20' }, approval: {} },
      'Resolving a case needs one approval if the sender is refunded and the amount is 20.00 BZD or more.',
    ],
    [
      { kind: 'dispute.resolve', approval: { reread: true } },
      'Resolving a case needs one approval, and an approver to read later messages.',
    ],
    [
      { kind: 'transaction.resolve', when: { decision: 'release' }, approval: {} },
      'Resolving a dispute that has no case needs one approval if the money is released to the recipient.',
    ],
    [
      { kind: 'deposit.confirm', limit: { sum: '3000', count: 5 } },
      'Confirming a deposit is limited to 3,000.00 BZD and 5 changes per person in 24 hours; anything over is blocked.',
    ],
    [
      { kind: 'dispute.message', limit: { count: 1 } },
      'Posting a message is limited to 1 change per person in 24 hours; anything over is blocked.',
    ],
    [
      { kind: 'deposit.confirm', when: { amountAtLeast: '10' }, limit: { sum: '100' }, approval: { by: 2 } },
      'Confirming a deposit is limited to 100.00 BZD per person in 24 hours, counting amounts of 10.00 BZD or more; anything over needs 2 approvals.',
    ],
    [
      { kind: 'dispute.resolve', when: { decision: 'refund' }, limit: { count: 2 } },
      'Resolving a case is limited to 2 changes per person in 24 hours, counting refunds; anything over is blocked.',
    ],
  ])('%j', (rule, sentence) => {
    expect(rulesOf(rule).map((one) => ruleSentence(one))).toEqual([sentence])
  })

  test('names the sender of a passkey for other readers', () => {
    const [rule] = rulesOf({ kind: 'terminal.disable', passkey: true })
    expect(rule && ruleSentence(rule, 'the author’s')).toBe('Disabling a terminal needs the author’s passkey.')
  })

  test('begins with words of its kind, for every kind', () => {
    const rules = rulesOf(...policyKinds.map((kind) => ({ kind, limit: { count: 1 } })))
    const sentences = rules.map((rule) => ruleSentence(rule))
    expect(new Set(sentences).size).toBe(policyKinds.length)
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z][a-z]+ing .* is limited to/)
  })
})

test.each<[rules: readonly object[], sentence: string]>([
  [[{ approval: { by: 1 } }, { approval: { by: 2 } }], 'This change needs 2 approvals.'],
  [
    [{ approval: { by: 1, scope: 'core:cards:manage' } }, { approval: { by: 2, passkey: true } }],
    'This change needs 2 approvals by people with core:cards:manage, each confirmed with a passkey.',
  ],
])('adds up what several rules ask for: %j', (rules, sentence) => {
  const need = needOf(rulesOf(...rules.map((rule) => ({ kind: 'deposit.confirm', ...rule }))))
  expect(need && needSentence(need)).toBe(sentence)
})

test('says that an approver must administer the console', () => {
  const need = { by: 1, scopes: [], passkey: false, administers: true }
  expect(needSentence(need)).toBe('This change needs one approval by someone with administrator rights.')
})

test('says when a change that is over its limit can be sent', () => {
  const over = {
    rule: { when: { amountAtLeast: '10.00' }, limit: { sum: '100.00', count: 2 } },
    used: { sum: '90.00', count: 1 },
  }
  const used =
    'Sent in the last 24 hours: 90.00 of 100.00 BZD and 1 of 2 changes, counting amounts of 10.00 BZD or more.'
  expect(breachWords({ ...over, fitsAt: '2026-11-26T10:00:00.000Z' })).toBe(
    `${used} It fits from 2026-11-26 10:00:00 UTC.`,
  )
  expect(breachWords({ ...over, fitsAt: null })).toBe(`${used} This change can never fit the limit.`)
})
