import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { CaseReason } from './case-reason.tsx'

const ANA = '00000000-0000-4000-8000-000000000011'
const transaction = { fromAccountId: ANA, toAccountId: 'ben', debit: '20.25000000' }

function render(reason: string, of: typeof transaction | null = transaction): string {
  const found = {
    id: 'c',
    referenceId: 'P2P~1',
    raisedByUserId: ANA,
    counterpartyUserId: 'ben',
    status: 'OPEN',
    reason,
    resolutionOutcome: null,
    resolutionReason: null,
    resolvedByUserId: null,
    createdAt: '2026-11-16T15:12:44.1234567Z',
    resolvedAt: null,
  }
  return renderToStaticMarkup(<CaseReason found={found} transaction={of} />)
}

const words = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')

test('shows a case’s reason with its author and time', () => {
  const html = render('It never came\u202e.')
  expect(words(html)).toContain('“It never came[U+202E].”')
  expect(words(html)).toContain('raised by the sender')
  expect(html).toContain('dateTime="2026-11-16T15:12:44.1234567Z"')
  expect(words(html)).toContain('16 Nov 2026, 15:12:44 UTC')
  expect(words(html)).toContain('20.25 BZD')
})

test('a role is said only where the transaction tells it; otherwise it is the id', () => {
  expect(words(render('x', null))).toContain(`raised by ${ANA.slice(0, -6)}`)
  expect(words(render('x', null))).not.toContain('the sender')
})

test('expands a long reason on demand', () => {
  const long = 'It never came. '.repeat(20).trim()
  expect(render(long)).toContain('<details')
  expect(words(render(long))).toContain(`“${long}”`)
  expect(render('Short.')).not.toContain('<details')
  expect(words(render(' '))).toContain('No reason given')
})
