import { describe, expect, test } from 'vitest'
import type { Outcome } from '#lib/commands/command.ts'
import { ACCEPTED, commandView } from '#lib/commands/test-command.ts'
import {
  cardIdFault,
  cardTypeFault,
  holderIdFault,
  inFours,
  issuedCardOf,
  last4Fault,
  printedNameFault,
} from './card.ts'

const ID = '3f2b8c1e-5d04-4b7a-9e61-0c8d2f7a4e15'

/** `null`: nothing is wrong. Else a part of the words. */
type Case = readonly [typed: string, fault: string | null]

function expectFault(fault: string | null, words: string | null): void {
  if (words === null) expect(fault).toBeNull()
  else expect(fault).toContain(words)
}

test.each<Case>([
  [ID, null],
  [` ${ID.toUpperCase()} `, null],
  ['', 'Enter the card id'],
  ['  ', 'Enter the card id'],
  ['9084 0030 7218 3688', 'This is a card number'],
  ['9084003072183688', 'This is a card number'],
  ['3f2b8c1e', 'Not a card id'],
  [`${ID}0`, 'Not a card id'],
  ['../cards', 'Not a card id'],
])('a card id typed as %j', (typed, words) => expectFault(cardIdFault(typed), words))

test.each<Case>([
  [` ${ID} `, null],
  ['', 'Enter a user id'],
  ['ana@example.com', 'not by e-mail'],
  ['000011', 'Not a user id'],
])('a holder typed as %j', (typed, words) => expectFault(holderIdFault(typed), words))

test.each<Case>([
  ['1', null],
  [' 12 ', null],
  ['0', null],
  ['-3', null],
  ['999999999', null],
  ['', 'the card type'],
  ['1.5', 'A whole number'],
  ['1,000', 'A whole number'],
  ['1e3', 'A whole number'],
  ['01', 'A whole number'],
  ['+1', 'A whole number'],
  ['-0', 'A whole number'],
  ['٣', 'A whole number'],
  ['Classic', 'A whole number'],
  ['0x1', 'A whole number'],
  ['1234567890', 'A whole number'],
])('a card type typed as %j', (typed, words) => expectFault(cardTypeFault(typed), words))

test.each<Case>([
  ['Ana Alvarez', null],
  ['محمد العلي', null],
  ['王小明', null],
  ['Zoë Müller-Łukasz', null],
  ['क्‍ष', null],
  ['x'.repeat(64), null],
  ['𝒜'.repeat(64), null],
  [` ${'x'.repeat(64)} `, null],
  ['', 'Enter the name'],
  ['   ', 'Enter the name'],
  ['x'.repeat(65), 'At most 64 characters; this has 65.'],
  ['Ana\u202EAlvarez', '[U+202E]'],
  ['Ana\u200BAlvarez', '[U+200B]'],
  ['Ana\u0000', '[U+0000]'],
  ['Ana\nAlvarez', 'single line'],
  ['Ana \ud83d', 'incomplete character'],
  ['Ana 9084 0030 7218 3688', 'card number'],
])('a printed name typed as %j', (typed, words) => expectFault(printedNameFault(typed), words))

test.each<readonly [typed: string, needed: boolean, fault: string | null]>([
  ['3688', true, null],
  [' 3688 ', true, null],
  ['0000', true, null],
  ['', false, null],
  ['', true, 'Enter the last four'],
  ['368', true, 'Enter only the last four digits'],
  ['36889', false, 'Enter only the last four digits'],
  ['9084003072183688', true, 'Enter only the last four digits'],
  ['36 88', true, 'Enter only the last four digits'],
  ['٣٦٨٨', true, 'Enter only the last four digits'],
  ['abcd', false, 'Enter only the last four digits'],
])('last four digits typed as %j, needed: %s', (typed, needed, words) => expectFault(last4Fault(typed, needed), words))

test.each([
  ['9084003072183688', ['9084', '0030', '7218', '3688']],
  ['908400307218368', ['9084', '0030', '7218', '368']],
  ['9084 0030 7218 3688', ['9084', '0030', '7218', '3688']],
  ['9084-0030-7218-3688', ['9084', '0030', '7218', '3688']],
  ['', []],
])('%s in fours', (cardNumber, fours) => expect(inFours(cardNumber)).toEqual(fours))

describe('the card that came of an issue', () => {
  const lines = [
    { label: 'Card', value: ID, as: 'id' },
    { label: 'Last four', value: '3688', as: 'mono' },
  ] as const

  test.each<readonly [string, Outcome, object | null]>([
    ['done', { class: 'done', lines, steps: [] }, { id: ID, last4: '3688' }],
    ['done, its answer not readable', { class: 'done', lines: [], steps: [] }, null],
    ['not known', { class: 'unknown', checking: '', advice: '' }, null],
    ['accepted', { ...ACCEPTED, lines }, null],
  ])('%s', (_what, outcome, card) => expect(issuedCardOf(commandView(outcome, { kind: 'card.issue' }))).toEqual(card))
})
