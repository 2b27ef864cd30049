import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ResolvedPanel } from './resolved-panel.tsx'

const found = {
  id: 'c',
  referenceId: 'P2P~1',
  raisedByUserId: 'ana',
  counterpartyUserId: 'ben',
  status: 'RESOLVED',
  reason: 'It never came.',
  resolutionOutcome: 'REFUND',
  resolutionReason: 'Nothing was sent.',
  resolvedByUserId: 'eve',
  createdAt: '2026-11-20T09:00:00.0000000Z',
  resolvedAt: '2026-11-21T09:00:00.0000000Z',
}

const parts = (isOvertaken: boolean) =>
  /^<section.*?><details open=""[^>]*>(<summary.*<\/summary>)(.*)<\/details><\/section>$/
    .exec(
      renderToStaticMarkup(
        <ResolvedPanel
          {...{ found, isOvertaken, box: null, reversal: 'none', sender: null, me: null, record: null }}
        />,
      ),
    )
    ?.slice(1) ?? []

test('folds a resolution to its title', () => {
  const [title = '', rest = ''] = parts(false)
  expect(title).toContain('Resolved. The thread is closed.')
  expect(rest).toContain('Nothing was sent.')
  expect(title).not.toContain('Nothing was sent.')
})

test('says that another decision came first', () => {
  expect(parts(true)[1]).toContain('Your own decision was cancelled.')
  expect(parts(false)[1]).not.toContain('Your own decision was cancelled.')
})
