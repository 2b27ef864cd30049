// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { readReport } from '../statements/statement-requests.ts'
import { ReportTools } from './report-tools.tsx'

vi.mock('../statements/statement-requests.ts', () => ({
  readReport: vi.fn(() => Promise.resolve({ ok: false, why: 'Not read.', cause: 'refused' })),
}))

const press = () => act(async () => document.querySelector('button')?.click())

beforeEach(async () => {
  vi.mocked(readReport).mockClear()
  await renderPage(<ReportTools day="2026-11-20" by="Olga" />)
})
afterEach(closePage)

test('a second click exports nothing while the first is read', async () => {
  vi.mocked(readReport).mockReturnValueOnce(new Promise(() => {}))
  await press()
  await press()
  expect(readReport).toHaveBeenCalledOnce()
})

test('exports again after a failure', async () => {
  await press()
  expect(document.body.textContent).toContain('Not read.')
  await press()
  expect(readReport).toHaveBeenCalledTimes(2)
})
