import { expect, test } from 'vitest'
import { isProven } from '#lib/commands/command.ts'
import { disableProof, labelFault, merchantIdFault, nameOf, terminalIdFault, terminalUidFault } from './terminal.ts'
import { disableFault, terminalStateWords } from './terminal-state.ts'

type Case = readonly [typed: string, fault: string | null]

function expectFault(fault: string | null, words: string | null): void {
  if (words === null) expect(fault).toBeNull()
  else expect(fault).toContain(words)
}

test.each<Case>([
  ['merchant-001', null],
  [' a/b?c#d%2F ', null],
  ['', 'Enter a merchant id'],
  ['x'.repeat(201), 'At most 200'],
  ['m\u200B1', '[U+200B]'],
])('a merchant typed as %j', (typed, words) => expectFault(merchantIdFault(typed), words))

test.each<Case>([
  ['PAX-A920-0001', null],
  ['9084003072183688', null],
  ['', 'Enter the UID'],
  ['x'.repeat(201), 'At most 200'],
  ['PAX\u0007', '[U+0007]'],
])('a UID typed as %j', (typed, words) => expectFault(terminalUidFault(typed), words))

test.each<Case>([
  ['counter-1', null],
  ['', null],
  ['صندوق ١', null],
  ['x'.repeat(201), 'At most 200'],
  ['\u202Ecounter', '[U+202E]'],
  ['9084003072183688', 'Remove the card number'],
])('a label typed as %j', (typed, words) => expectFault(labelFault(typed), words))

test.each<Case>([
  ['3f2b8c1e-5d04-4b7a-9e61-0c8d2f7a4e15', null],
  ['PAX-A920-0001', 'Not a terminal id'],
  ['..', 'Not a terminal id'],
])('a terminal id typed as %j', (typed, words) => expectFault(terminalIdFault(typed), words))

test.each([
  ['counter-1', 'counter-1', 'label'],
  [' counter-1 ', 'counter-1', 'label'],
  ['صندوق ١', 'صندوق ١', 'label'],
  ['', 'PAX-1', 'UID'],
  ['  ', 'PAX-1', 'UID'],
  ['counter\u202E1', 'PAX-1', 'UID'],
])('a terminal labelled %j is disabled by typing %s', (label, expected, what) => {
  const proof = disableProof({ label, terminalUid: 'PAX-1' })
  expect(proof.expected).toBe(expected)
  expect(proof.label).toBe(`Type the ${what} of this terminal: ${expected}`)
  expect(nameOf({ label, terminalUid: 'PAX-1' })).toBe(expected)
})

test.each([
  ['Front  till', 'Front till'],
  ['Front\u00a0till', 'Front till'],
  ['Cafe\u0301', 'Caf\u00e9'],
])('is disabled by its label %j as a person types it', (label, typed) => {
  const proof = disableProof({ label, terminalUid: 'PAX-1' })
  expect(isProven(proof, typed)).toBe(true)
  expect(isProven(proof, typed.toUpperCase())).toBe(false)
})

test('is disabled by a pasted label, and by no empty one', () => {
  const proof = disableProof({ label: 'counter-1', terminalUid: 'PAX-1' })
  expect(isProven(proof, ' counter\u200B-1 ')).toBe(true)
  expect(isProven({ ...proof, expected: '\u200B' }, '')).toBe(false)
})

test.each([
  ['ACTIVE', null],
  ['DISABLED', 'This terminal is Disabled'],
  ['LOST_IN_POST', 'This terminal is LOST_IN_POST'],
])('a terminal that is %s', (status, words) => expectFault(disableFault(status), words))

test('a state that the interface does not give shows as it came, with no meaning put on it', () => {
  expect(terminalStateWords('LOST_IN_POST')).toMatchObject({ word: 'LOST_IN_POST', meaning: 'neutral' })
})
