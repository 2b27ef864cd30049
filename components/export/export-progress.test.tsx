// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { problemOf } from '#lib/contract/problem-of.ts'
import { closePage, fire, renderPage } from '#lib/testing/render-page.ts'
import { ExportEvidence, ExportProgress } from './export-progress.tsx'
import { ExportButton } from './export-strip.tsx'

vi.mock('next/navigation', () => ({ useRouter: () => ({ refresh: () => {} }) }))

afterEach(closePage)

const file = { name: 'evidence-1.json', text: '{"dossier":1}\n' }
const page = { name: 'evidence-1.html', text: '<!doctype html>' }

const buttonOf = (words: string) =>
  [...document.querySelectorAll('button')].find(({ textContent }) => textContent === words) ?? null

async function press(answer: Response): Promise<{ readonly saved: readonly string[]; readonly fetched: unknown }> {
  const saved: string[] = []
  const fetched = vi.fn(async () => answer)
  vi.stubGlobal('fetch', fetched)
  vi.stubGlobal(
    'Blob',
    class {
      constructor(parts: readonly string[], { type }: BlobPropertyBag) {
        saved.push(...parts, String(type))
      }
    },
  )
  URL.createObjectURL = () => 'blob:1'
  await renderPage(<ExportEvidence address="/api/export/evidence?command=1" />)
  await fire(document.querySelector('button'), 'click')
  await vi.waitFor(() => expect(document.querySelector('button')?.textContent).toBe('Export evidence'))
  return { saved, fetched }
}

test.each([
  [true, 'Saved. The witness has confirmed it.'],
  [false, 'Saved. No witness has confirmed it'],
])('saves the file as the verifier needs it (%s)', async (confirmed, words) => {
  const { saved, fetched } = await press(Response.json({ ok: true, file, page, confirmed }))
  expect(saved).toEqual([file.text, 'application/json'])
  expect(fetched).toHaveBeenCalledTimes(1)
  expect(document.querySelector('[role=status]')?.textContent).toContain(words)
})

test('saves the printable page once for a double click', async () => {
  const { saved, fetched } = await press(Response.json({ ok: true, file, page, confirmed: true }))
  buttonOf('Printable page')?.focus()
  await fire(buttonOf('Printable page'), 'click')
  await fire(buttonOf('Printable page'), 'click')
  expect(saved.slice(2)).toEqual([page.text, 'text/html;charset=utf-8'])
  expect(fetched).toHaveBeenCalledTimes(1)
  expect(document.activeElement).toBe(buttonOf('Printable page'))
})

test('saves nothing when it is refused, and says why', async () => {
  const problem = problemOf('console', { status: 503, title: 'The journal of this change was altered' })
  const { saved } = await press(Response.json({ ok: false, fields: {}, problem }, { status: 503 }))
  expect(saved).toEqual([])
  expect(buttonOf('Printable page')).toBeNull()
  expect(document.querySelector('[role=alert]')?.textContent).toContain('was altered')
})

const running = { state: null, start: () => {}, cancel: () => {}, dismiss: () => {} }

test('names no order of the rows in a cut file', async () => {
  const rows = { rows: 50_000, read: 50_000, filtered: false, total: 60_000, unreadable: 0, cut: true }
  const shown = await renderPage(
    <ExportProgress running={running} state={{ step: 'saved', fileName: 'cases-open.csv', ...rows }} />,
  )
  expect(shown.textContent).toBe('cases-open.csv has 50,000 rows, the first of 60,000 or more: the maximum per file.')
})

test.each([
  [1, '1 row could not be read and is marked in the file.'],
  [2, '2 rows could not be read and are marked in the file.'],
])('says how many rows are marked: %i', async (unreadable, words) => {
  const rows = { rows: 9, read: 9, filtered: false, total: 9, unreadable, cut: false }
  const shown = await renderPage(
    <ExportProgress running={running} state={{ step: 'saved', fileName: 'cases-open.csv', ...rows }} />,
  )
  expect(shown.textContent).toBe(`cases-open.csv has 9 rows. ${words}`)
})

test('the button of a running export keeps the focus', async () => {
  const start = vi.fn()
  const running = { state: null, start, cancel: () => {}, dismiss: () => {} }
  const button = (await renderPage(<ExportButton running={running} />)).querySelector('button')
  button?.focus()
  await fire(button, 'click')
  const state = { step: 'running', read: 0, total: null } as const
  await renderPage(<ExportButton running={{ ...running, state }} />)
  await fire(button, 'click')
  expect([button?.disabled, button?.getAttribute('aria-disabled')]).toEqual([false, 'true'])
  expect(document.activeElement).toBe(button)
  expect(start).toHaveBeenCalledOnce()
})
