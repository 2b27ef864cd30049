// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isUnloadGuarded } from '#components/frame/leave-guard.ts'
import type { ReadSummary } from '#lib/statements/file/statement.ts'
import type { ImportAnswer, ImportPreview } from '#lib/statements/statement-view.ts'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { ImportFile } from './import-file.tsx'

const requests = vi.hoisted(() => ({ importFile: vi.fn() }))
const router = vi.hoisted(() => ({ push: vi.fn() }))
vi.mock('next/navigation', () => ({ useRouter: () => router }))
vi.mock('./statement-requests.ts', () => requests)

const PREVIEW: ImportPreview = {
  ...{ seal: 'ab12', format: 'camt.053', lines: 1, leftOut: 0, accounts: [], mapping: null, head: null },
  summary: { first: [], totals: [], counts: {}, remarks: [], warnings: [] } as unknown as ReadSummary,
  isChanged: false,
}
const BROKEN = { kind: 'broken', head: null, draft: null, faults: [{ place: null, what: 'No.' }] } as const
const answer = (imported: ImportAnswer) => ({ ok: true, value: { imported } })
const trouble = () => document.querySelector<HTMLElement>('[role="alert"]')

beforeEach(async () => {
  await renderPage(<ImportFile again={null} />)
})
afterEach(closePage)

const choose = async () => {
  const field = document.querySelector<HTMLInputElement>('input[type="file"]')
  field?.focus()
  Object.defineProperty(field, 'files', { configurable: true, value: [new File(['x'], 'may.xml')] })
  await act(async () => void field?.dispatchEvent(new Event('change', { bubbles: true })))
  await act(() => vi.dynamicImportSettled())
}

test('keeps the focus on the field of a file that fails', async () => {
  requests.importFile.mockResolvedValue(answer(BROKEN))
  await choose()
  expect(trouble()?.textContent).toContain('may.xml was not imported')
  expect(document.activeElement?.getAttribute('type')).toBe('file')
})

test('moves the focus to the fault when the import fails', async () => {
  requests.importFile.mockResolvedValueOnce(answer({ kind: 'preview', preview: PREVIEW }))
  await choose()
  const submit = document.querySelector<HTMLButtonElement>('[type="submit"]')
  expect(document.activeElement).toBe(submit)
  requests.importFile.mockResolvedValueOnce(answer(BROKEN))
  await act(async () => submit?.form?.requestSubmit(submit))
  expect(document.activeElement).toBe(trouble())
})

test('asks before the reason of an import is lost', async () => {
  const warnings = [{ place: null, what: 'A day is missing.' }]
  const preview = { ...PREVIEW, summary: { ...PREVIEW.summary, warnings } }
  requests.importFile.mockResolvedValueOnce(answer({ kind: 'preview', preview }))
  await choose()
  const reason = document.querySelector('textarea')
  expect(isUnloadGuarded()).toBe(false)
  if (reason !== null) reason.value = 'The bank was closed.'
  requests.importFile.mockResolvedValueOnce({ ok: false, cause: 'unanswered', why: 'No answer.' })
  await act(async () => reason?.form?.requestSubmit())
  expect(isUnloadGuarded()).toBe(true)
})

test('offers a file of debits alone without payments', async () => {
  requests.importFile.mockResolvedValueOnce(answer({ kind: 'preview', preview: { ...PREVIEW, lines: 0, leftOut: 2 } }))
  await choose()
  expect(document.querySelector('[type="submit"]')?.textContent).toBe('Import without payments')
  expect(document.querySelector('table')).toBeNull()
})

test.each([
  ['opens the imported statement', true],
  ['opens nothing on a page that was left', false],
])('%s', async (_what, isHere) => {
  router.push.mockReset()
  let done = (_reply: object) => {}
  requests.importFile.mockReturnValueOnce(new Promise((reply) => (done = reply)))
  await choose()
  if (!isHere) await renderPage(null)
  await act(async () => done(answer({ kind: 'imported', id: 's', already: false } as ImportAnswer)))
  expect(router.push).toHaveBeenCalledTimes(isHere ? 1 : 0)
})
