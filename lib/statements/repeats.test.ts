import { expect, test } from 'vitest'
import { amountVerdict } from './match-lines.ts'
import { repeatsOf, suggestedReason } from './repeats.ts'
import type { LineView } from './statement-view.ts'

const LINE: LineView = {
  statementId: 'here',
  number: 4,
  place: 4,
  sought: 'DEP-1',
  soughtFrom: 'field',
  suggestions: [],
  amount: '90.00',
  currency: '',
  bookedOn: '',
  valueDate: '',
  payerName: '',
  payerAccount: '',
  text: '',
  bankReference: 'B-1',
  given: { reference: 'DEP-1', bankReference: 'B-1' },
  bankFrom: 'field',
  soughtEntered: null,
  bankEntered: null,
  edited: null,
  editId: null,
  needsApproval: false,
  status: 'mismatched',
  hold: null,
  found: null,
  lookedAt: '2026-11-20T12:00:00.000Z',
  sameReference: null,
  sameBankReference: null,
  bankHolder: null,
  confirmation: null,
  problem: null,
  note: null,
  setAside: null,
  seen: null,
  outcome: null,
  commandId: null,
}

const first = { statementId: 'there', number: 2, fileName: 'June.csv' }
const here = { statementId: 'here', number: 1, fileName: 'July.csv' }
const wordsOf = (change: Partial<LineView>) =>
  repeatsOf({ ...LINE, ...change }).map(({ what, at }) => `${what} ${at.fileName} ${at.number}`)

test('a duplicate says which of its references repeats which line', () => {
  expect(wordsOf({ sameReference: first })).toEqual(['The deposit’s reference repeats that of June.csv 2'])
  expect(wordsOf({ sameBankReference: here })).toEqual(['The bank’s reference repeats that of July.csv 1'])
  expect(wordsOf({ sameReference: first, sameBankReference: first })).toEqual([
    'The deposit’s reference and the bank’s reference repeat those of June.csv 2',
  ])
  expect(wordsOf({ sameReference: first, sameBankReference: here })).toHaveLength(2)
  expect(wordsOf({ status: 'set-aside', seen: first })).toEqual([
    'The whole line, including the deposit’s reference and the bank’s reference, repeats June.csv 2',
  ])
  expect(wordsOf({ status: 'done', sameReference: first })).toEqual([])
})

test('a mismatched line is set aside with what differs', () => {
  const reason = ({ state = 'QUEUED', ...change }: Partial<LineView> & { readonly state?: string }) => {
    const line = { ...LINE, ...change }
    const debit = '100.00000000'
    const found = 'found' in change ? null : { state, debit, amount: amountVerdict(line, debit) }
    return suggestedReason({ ...line, found })
  }
  expect(reason({})).toBe('10.00 BZD missing: the bank received 90.00 BZD, the deposit is 100.00 BZD.')
  expect(reason({ amount: '120' })).toBe('20.00 BZD too much: the bank received 120.00 BZD, the deposit is 100.00 BZD.')
  expect(reason({ currency: 'EUR' })).toBe('The bank received 90.00 EUR; deposits are in BZD.')
  expect(reason({ amount: '100', state: 'FAIL' })).toMatch(/^The deposit is .*, not queued\.$/)
  expect(reason({ amount: '100', sameReference: here })).toBe('The deposit’s reference repeats that of line 1.')
  expect(reason({ amount: '100', sameReference: first })).toBe(
    'The deposit’s reference repeats that of line 2 of June.csv.',
  )
  expect(reason({ status: 'elsewhere', amount: '100' })).toBe(
    'The deposit was already confirmed, not from this console. The bank received 100.00 BZD.',
  )
  expect(reason({ status: 'unknown', found: null })).toBe('')
})
