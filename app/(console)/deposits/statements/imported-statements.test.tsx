import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { ListedStatement } from '#lib/statements/statement-list.ts'
import { statementColumns } from './imported-statements.tsx'

const statement: ListedStatement = {
  id: 'july',
  fileName: 'July.xml',
  account: 'Account 100200, statement 14',
  days: { first: '2026-07-01', last: '2026-07-31' },
  lines: 500,
  open: [],
  importedAt: '2026-08-01T09:00:00.000Z',
  importedBy: 'mia',
  work: null,
}

const textOf = (column: string, change: Partial<ListedStatement>): string =>
  renderToStaticMarkup(statementColumns.find(({ id }) => id === column)?.cell({ ...statement, ...change }))
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

const total = (currency: string, count: number, sum: string) => ({ statement_id: 'july', currency, count, sum })

test('says when all lines of a statement are handled', () => {
  expect(textOf('open', {})).toBe('All handled 500 lines')
})

test('shows at most two currencies of open lines', () => {
  const two = [total('BZD', 3, '1250'), total('EUR', 1, '2.5')]
  expect(textOf('open', { open: two })).toBe('1,250.00 BZD 2.50 EUR 4 of 500 lines')
  expect(textOf('open', { open: [...two, total('USD', 2, '7')] })).toBe('1,250.00 BZD 2.50 EUR and more 6 of 500 lines')
})

test('shows one booking day once, and a dash without days', () => {
  expect(textOf('days', {})).toBe('2026-07-01 to 2026-07-31')
  expect(textOf('days', { days: { first: '2026-07-01', last: '2026-07-01' } })).toBe('2026-07-01')
  expect(textOf('days', { days: null })).toBe('–')
})

test('shows work on a statement below its account', () => {
  const work = { work: 'look', by: 'mia', done: 3, total: 12, stopping: false, cutOff: false } as const
  const rest = { summary: null, goesOn: false, pausedUntil: null, ended: '', wantsCode: false, run: 1 }
  expect(textOf('statement', { work: { ...work, ...rest } })).toBe(
    'July.xml Account 100200, statement 14 Looking up: 3 of 12',
  )
  expect(textOf('statement', { work: { ...work, ...rest, work: null, cutOff: true } })).toMatch(/Interrupted$/)
})
