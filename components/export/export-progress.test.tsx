// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { problemOf } from '#lib/contract/problem-of.ts'
import { closePage, fire, renderPage } from '#lib/testing/render-page.ts'
import { ExportEvidence } from './export-progress.tsx'

vi.mock('next/navigation', () => ({ useRouter: () => ({ refresh: () => {} }) }))

afterEach(closePage)

const dossier = { dossier: 1, checkpoint: 'note\n', entries: [], answers: [] }

async function press(answer: Response): Promise<{ readonly saved: readonly string[]; readonly fetched: unknown }> {
  const saved: string[] = []
  const fetched = vi.fn(async () => answer)
  vi.stubGlobal('fetch', fetched)
  vi.stubGlobal(
    'Blob',
    class {
      constructor(parts: readonly string[]) {
        saved.push(...parts)
      }
    },
  )
  URL.createObjectURL = () => 'blob:1'
  await renderPage(<ExportEvidence id="1" address="/api/export/evidence?command=1" />)
  await fire(document.querySelector('button'), 'click')
  await vi.waitFor(() => expect(document.querySelector('button')?.textContent).toBe('Export evidence'))
  return { saved, fetched }
}

test.each([
  [true, 'Saved. The witness has confirmed it.'],
  [false, 'Saved. No witness has confirmed it'],
])('saves the file as the verifier needs it (%s)', async (confirmed, words) => {
  const { saved, fetched } = await press(Response.json({ ok: true, dossier, confirmed }))
  expect(saved).toEqual([`${JSON.stringify(dossier)}\n`])
  expect(fetched).toHaveBeenCalledTimes(1)
  expect(document.querySelector('[role=status]')?.textContent).toContain(words)
})

test('saves nothing when it is refused, and says why', async () => {
  const problem = problemOf('console', { status: 503, title: 'The journal of this change was altered' })
  const { saved } = await press(Response.json({ ok: false, fields: {}, problem }, { status: 503 }))
  expect(saved).toEqual([])
  expect(document.querySelector('[role=alert]')?.textContent).toContain('was altered')
})
