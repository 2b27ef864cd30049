// @vitest-environment happy-dom
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { SimilarDecisions } from '#lib/disputes/resolution.ts'
import { closePage, fire, renderPage } from '#lib/testing/render-page.ts'
import { ResolvedPanel, SimilarList } from './resolved-panel.tsx'

const answers = vi.hoisted(() => ({ ask: vi.fn() }))
vi.mock('#components/service/ask-console.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  askConsole: answers.ask,
}))

afterEach(closePage)

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

const answered = (value: SimilarDecisions) => ({ status: 200, body: { ok: true, value } })
const decision = {
  ...{ caseId: '00000000-0000-4000-8000-0000000c0001', outcome: 'Refunded the sender', amount: '12.5' },
  ...{
    reason: 'Nothing was sent.',
    category: 'Never delivered',
    by: 'Eve',
    at: '2026-11-21T09:00:00.000Z',
    sameParties: true,
  },
}

test('links each similar decision to its case, and counts the rest', async () => {
  answers.ask.mockResolvedValueOnce(answered({ decisions: [decision], more: 1_204, comparedMost: 1_000 }))
  const page = await renderPage(<SimilarList caseId="c" />)
  expect(answers.ask).toHaveBeenLastCalledWith('/api/disputes/c/similar')
  expect(page.querySelector('a')?.getAttribute('href')).toBe(`/disputes/${decision.caseId}`)
  for (const words of [
    'Refunded the sender',
    '12.50 BZD',
    'Nothing was sent.',
    'Never delivered',
    'Eve',
    'same two parties',
  ]) {
    expect(page.textContent).toContain(words)
  }
  expect(page.textContent).toContain('1 similar decision. 1,204 more exist.')
  expect(page.textContent).toContain('newest 1,000 decisions')
})

test('names a failed read of similar decisions, and tries again', async () => {
  answers.ask.mockResolvedValueOnce({ status: 503, body: { problem: problemOf('console', { status: 503 }) } })
  const page = await renderPage(<SimilarList caseId="c" />)
  expect(page.querySelector('[role="alert"]')).not.toBeNull()
  expect(page.textContent).not.toContain('was decided')
  answers.ask.mockResolvedValueOnce(answered({ decisions: [], more: 0, comparedMost: null }))
  await fire(page.querySelector('button'), 'click')
  expect(page.textContent).toContain('No similar case was decided in this console.')
  expect(page.textContent).toContain('Cases decided outside this console are not known here.')
})
