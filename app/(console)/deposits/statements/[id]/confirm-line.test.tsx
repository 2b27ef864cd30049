// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DraftView } from '#lib/commands/command.ts'
import type { LineView } from '#lib/statements/statement-view.ts'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { BothTexts, ConfirmLine } from './confirm-line.tsx'

const requests = vi.hoisted(() => ({ prepareLine: vi.fn() }))
vi.mock('../statement-requests.ts', () => requests)
const router = vi.hoisted(() => ({ refresh: vi.fn() }))
vi.mock('next/navigation', () => ({ useRouter: () => router }))

const lineAt = (number: number) =>
  ({
    ...{ number, amount: '20.00', currency: 'BZD', given: { reference: '', bankReference: '' }, soughtFrom: 'field' },
    ...{ bookedOn: '', valueDate: '', payerName: '', payerAccount: '', text: '', edited: null },
  }) as unknown as LineView
const draftOf = (number: number): DraftView => ({
  ...{ id: `c-${number}`, kind: 'deposit.confirm', title: `Confirm line ${number}`, lines: [], consequence: '' },
  ...{ button: 'Confirm', proof: null, expiresAt: '2026-11-20T10:10:00.000Z', immediate: false, warning: null },
  ...{ effect: 'ab12', limits: [], approval: null, passkey: false },
})
const answers = new Map<number, () => Promise<void>>()
const open = (number: number) => renderPage(<ConfirmLine id="s" dialog={{ what: 'confirm', line: lineAt(number) }} />)
const title = () => document.querySelector('[role="dialog"] h2')?.textContent

beforeEach(() => {
  answers.clear()
  requests.prepareLine.mockImplementation(
    (_id: string, number: number) =>
      new Promise((done) =>
        answers.set(number, async () => {
          const value = { draft: draftOf(number), facts: [], line: lineAt(number) }
          await act(async () => done({ ok: true, value }))
          await act(() => vi.dynamicImportSettled())
        }),
      ),
  )
})
afterEach(closePage)

test('confirms the line that was chosen last', async () => {
  await open(3)
  await open(5)
  await answers.get(3)?.()
  expect(title()).toBeUndefined()
  await answers.get(5)?.()
  expect(title()).toBe('Confirm line 5')
})

test.each([
  ['keeps the page when the session has ended', 'session-over', 0],
  ['keeps the page when no answer came', 'unanswered', 0],
  ['reads the page again when the line is refused', 'refused', 1],
])('%s', async (_what, cause, refreshes) => {
  router.refresh.mockReset()
  requests.prepareLine.mockResolvedValueOnce({ ok: false, why: 'Not now.', cause })
  const page = await open(3)
  expect(page.textContent).toContain('Not now.')
  expect(router.refresh).toHaveBeenCalledTimes(refreshes)
})

test.each([
  ['Top-up DEP-1', 'reference field'],
  ['', 'free text'],
])('names where the accepted reference was: %s', async (reference, place) => {
  const line = {
    ...lineAt(3),
    given: { reference, bankReference: '' },
    text: reference === '' ? 'DEP 1' : '',
    sought: 'DEP-1',
    soughtFrom: 'text',
  }
  const page = await renderPage(<BothTexts shown={{ line: line as LineView, facts: [], draft: draftOf(3) }} />)
  expect(page.textContent).toContain(`Accepted from the ${place}`)
})
