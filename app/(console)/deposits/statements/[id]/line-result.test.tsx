import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import type { LineView } from '#lib/statements/statement-view.ts'
import { formatLocal, timeInText } from '#lib/values/time.ts'
import { lineColumns } from './line-columns.tsx'
import { LineResult } from './line-result.tsx'

vi.mock('#components/ui/hydrated.tsx', () => ({ useHydrated: () => true }))

const AT = '2026-11-20T18:05:33.000Z'

const refused: LineView = {
  statementId: 'statement',
  number: 1,
  place: 2,
  sought: 'DEP-1',
  soughtFrom: 'field',
  suggestions: [],
  amount: '40',
  currency: 'BZD',
  bookedOn: '2026-11-20',
  valueDate: '',
  payerName: '',
  payerAccount: '',
  text: '',
  bankReference: 'A1',
  given: { reference: 'DEP-1', bankReference: 'A1' },
  bankFrom: 'field',
  soughtEntered: null,
  bankEntered: null,
  edited: null,
  editId: null,
  needsApproval: false,
  status: 'refused',
  hold: null,
  found: { state: 'QUEUED', debit: '40', amount: { match: true } },
  lookedAt: AT,
  sameReference: null,
  sameBankReference: null,
  bankHolder: null,
  confirmation: null,
  problem: null,
  note: null,
  setAside: null,
  seen: null,
  outcome: {
    class: 'refused',
    sent: false,
    title: `The bank’s reference A1 is taken: ana@example.com sent it at ${timeInText(AT)} for DEP-2.`,
    advice: 'Nothing was sent.',
    problem: null,
  },
  commandId: null,
}

const acts = { busy: null } as Parameters<typeof LineResult>[0]['acts']

test.each([
  [1, 'Paid this wallet once before, on 14 Nov 2026.'],
  [6, 'Paid this wallet 6 times before, last on 14 Nov 2026.'],
])('says that an account paid %i times before', (count, words) => {
  const paidBefore = { count, last: '2026-11-14' }
  const suggestion = { reference: 'DEP-3', foundIn: 'payer', state: 'QUEUED', debit: '40', paidBefore } as const
  const line: LineView = { ...refused, status: 'unknown', outcome: null, suggestions: [suggestion] }
  const markup = renderToStaticMarkup(<LineResult line={line} acts={acts} />)
  expect(markup).toContain('From earlier payments of this account:')
  expect(markup).toContain(words)
  expect(markup).toContain('Accept this reference')
})

test('shows who used a reference first, in the reader’s zone', () => {
  const markup = renderToStaticMarkup(<LineResult line={refused} acts={acts} />)
  expect(markup).toContain(`ana@example.com sent it at ${formatLocal(AT)} for DEP-2.`)
  expect(markup).not.toContain(timeInText(AT))
})

test('says that a line is over the limit, and to whom it was handed', () => {
  const handOver = {
    ...{ reference: 'DEP-1', amount: '40', from: 'ana', to: 'ben', reader: null, at: AT, reason: '' },
    ...{ handedBackAt: null, known: { bankReference: '', statementAmount: '' } },
  } as const
  const line: LineView = { ...refused, status: 'ready', outcome: null, isOverLimit: true, handOver }
  const textOf = (shown: LineView) =>
    renderToStaticMarkup(<LineResult line={shown} acts={acts} />).replace(/<[^>]+>/g, ' ')
  expect(textOf(line)).toMatch(/Handed to ben by ana.*Over your limit\..*See what to do/s)
  expect(textOf({ ...line, handOver: { ...handOver, handedBackAt: AT } })).not.toContain('Handed')
})

test('has the actions of a line beside its result', () => {
  const markup = renderToStaticMarkup(<LineResult line={{ ...refused, outcome: null }} acts={acts} />)
  expect([...markup.matchAll(/<button[^>]*>([^<]+)</g)].map(([, words]) => words)).toEqual([
    'Look up again',
    'Set aside',
  ])
})

test('pins no column over the others', () => {
  expect(lineColumns(acts).filter(({ quietHead }) => quietHead)).toEqual([])
})

const depositCell = (line: Partial<LineView>): string =>
  renderToStaticMarkup(
    lineColumns(acts)
      .find(({ id }) => id === 'deposit')
      ?.cell({ ...refused, ...line }),
  )

const depositOf = (line: Partial<LineView>): string => depositCell(line).split('data-slot="badge"').at(-1) ?? ''

test.each([
  ['open', 'PENDING', 'text-working'],
  ['elsewhere', 'PROCESSED', 'text-good'],
  ['mismatched', 'PENDING', 'text-attention'],
] as const)('the deposit of a line that is %s and %s shows %s', (status, state, look) => {
  const found = { state, debit: '40', amount: { match: true } } as const
  expect(depositOf({ status, found })).toContain(look)
})

test.each([
  ['Top-up DEP 1', 'thanks', 'reference field'],
  ['dep-1', 'for DEP-1', 'reference field'],
  ['DEP-12', 'for dep 1', 'free text'],
  ['', '(erased)', 'free text'],
])('names where an accepted reference was: %s, %s', (reference, text, place) => {
  const given = { reference, bankReference: '' }
  for (const soughtFrom of ['text', 'found'] as const) {
    expect(depositCell({ soughtFrom, given, text, status: 'ready' })).toContain(`Found in the ${place}, accepted`)
  }
  const line = { ...refused, given, text, outcome: null, status: 'by-hand', soughtFrom: 'text' } as const
  expect(renderToStaticMarkup(<LineResult line={line} acts={acts} />)).toContain(`accepted from the ${place}: confirm`)
})

test('shows hidden characters in the name of who set a line aside', () => {
  const line: LineView = { ...refused, outcome: null, setAside: { reason: 'Not ours.', by: 'ana\u202E' } }
  expect(renderToStaticMarkup(<LineResult line={line} acts={acts} />)).toContain('Set aside by ana[U+202E]: Not ours.')
})
