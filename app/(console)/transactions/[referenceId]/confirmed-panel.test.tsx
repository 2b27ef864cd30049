import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { ConfirmedHere } from '#lib/statements/confirmed-here.ts'
import { ConfirmedPanel } from './confirmed-panel.tsx'

const htmlOf = (confirmed: ConfirmedHere, type = 'DEPOSIT') =>
  renderToStaticMarkup(<ConfirmedPanel type={type} confirmed={confirmed} />)

const confirmed: Extract<ConfirmedHere, { kind: 'confirmed' }> = {
  ...{ kind: 'confirmed', commandId: 'c-1', by: 'operator@example.com', at: '2026-11-20T10:00:00.000Z' },
  ...{ bankReference: 'ATL 1', line: { statementId: 's-1', number: 41, fileName: 'July.csv' } },
}

test('who, and against what, with the ways to the change and to the line of the statement', () => {
  const html = htmlOf(confirmed)
  expect(html).toContain('operator@example.com')
  expect(html).toContain('ATL 1')
  expect(html).toContain('href="/activity/c-1"')
  expect(html).toContain('href="/deposits/statements/s-1?page=3"')
  expect(htmlOf({ ...confirmed, line: { statementId: 's-1', number: 20, fileName: 'July.csv' } })).toContain(
    'href="/deposits/statements/s-1"',
  )
})

test('what nobody confirmed here says so; what is no deposit says nothing', () => {
  expect(htmlOf({ kind: 'none' })).toContain('Not confirmed from this console')
  expect(htmlOf({ kind: 'none' }, 'A_NEW_TYPE')).toContain('Not confirmed from this console')
  expect(htmlOf({ kind: 'none' }, 'P2P')).toBe('')
})

test('a journal that cannot be read, and a change that is not shown, are never told as none', () => {
  for (const kind of ['hidden', 'not-known'] as const) {
    expect(htmlOf({ kind })).toContain('Confirmation')
    expect(htmlOf({ kind })).not.toContain('Not confirmed')
  }
})

test('a confirmation without effect is told with its change', () => {
  const html = htmlOf({ kind: 'no-effect', commandId: 'c-2' })
  expect(html).toContain('A confirmation was sent from this console. No effect was found so far.')
  expect(html).toContain('href="/activity/c-2"')
})
