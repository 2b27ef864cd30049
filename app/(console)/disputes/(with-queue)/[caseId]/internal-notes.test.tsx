// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Outcome } from '#lib/commands/command.ts'
import { commandView } from '#lib/commands/test-command.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { closePage, fire, renderPage } from '#lib/testing/render-page.ts'
import { InternalNotes } from './internal-notes.tsx'
import type { SeenWorkspace } from './use-case-workspace.ts'

const client = vi.hoisted(() => ({ draft: vi.fn(), execute: vi.fn() }))
vi.mock('#components/command/command-client.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  ...client,
}))
const seen = vi.hoisted(() => ({ now: {} as unknown as SeenWorkspace }))
vi.mock('./use-case-workspace.ts', () => ({ useCaseWorkspace: () => ({ ...seen.now, refresh: () => {} }) }))
vi.mock('next/navigation', () => ({ useRouter: () => ({ refresh: () => {} }) }))

afterEach(async () => {
  await closePage()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

test('waits again after a second refusal of the same length', async () => {
  vi.useFakeTimers()
  const refused = async () => {
    seen.now = { workspace: null, problem: problemOf('service', { status: 429, retryAfterSeconds: 5 }) }
    const kept = { owner: 'sso:me', place: 'case-note:c', text: '', version: 0, other: null }
    return (await renderPage(<InternalNotes caseId="c" kept={kept} />)).textContent
  }
  expect(await refused()).toContain('You can try again in 5 s')
  await act(() => vi.advanceTimersByTimeAsync(6_000))
  expect(document.body.textContent).toContain('You can try again now')
  expect(await refused()).toContain('You can try again in 5 s')
})

const kept = { owner: 'sso:me', place: 'case-note:c', text: '', version: 0, other: null }
const note = { authorName: 'Mia', text: 'He called.', at: '2026-07-01T10:00:00Z', mentions: [], isForMe: false }

async function notes(count: number, earlierNotes = 0, text = kept): Promise<HTMLElement> {
  const shown = Array.from({ length: count }, (_, at) => ({ ...note, id: `n${at}` }))
  const workspace = { notes: shown, earlierNotes, me: 'sso:me', people: [], mayWork: true, watch: null }
  seen.now = { workspace, problem: null } as unknown as SeenWorkspace
  return await renderPage(<InternalNotes caseId="c" kept={text} />)
}

test('follows new notes again once the reader is back', async () => {
  vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockReturnValue(900)
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(300)
  const list = (await notes(1)).querySelector<HTMLElement>('[role=log]')
  const scrollTo = async (top: number) => {
    if (list !== null) list.scrollTop = top
    await fire(list, 'scroll')
  }
  await scrollTo(0)
  await notes(2)
  expect(list?.scrollTop).toBe(0)
  await scrollTo(600)
  await notes(3)
  expect(list?.scrollTop).toBe(900)
})

test.each([
  [1, '1 earlier note is in the journal.'],
  [1_204, '1,204 earlier notes are in the journal.'],
])('says how many notes are only in the journal: %i', async (earlier, words) => {
  expect((await notes(1, earlier)).textContent).toContain(words)
})

const DRAFT = { id: 'n', kind: 'case.note', immediate: true }
const FAILED: Outcome = { class: 'failed', title: 'Not added', lines: [] }
const DONE: Outcome = { class: 'done', lines: [], steps: [] }

test.each<[string, Outcome, string]>([
  ['failed', FAILED, 'He called back.'],
  ['changed', { class: 'changed', before: [], now: [] }, 'He called back.'],
  ['done', DONE, ''],
])('after an outcome %s, the form holds %j', async (place, outcome, left) => {
  vi.stubGlobal('fetch', async () => Response.json({ version: 1, other: null }))
  client.draft.mockResolvedValueOnce({ ok: true, draft: DRAFT })
  client.execute.mockResolvedValueOnce({ ok: true, command: commandView(outcome) })
  const form = (await notes(0, 0, { ...kept, place, text: 'He called back.' })).querySelector('form')
  await fire(form, 'submit')
  await vi.waitFor(() => expect(client.execute).toHaveBeenCalled())
  await act(() => vi.dynamicImportSettled())
  expect(form?.querySelector('textarea')?.value).toBe(left)
  client.execute.mockReset()
})

test.each([
  ['in its form', 'note', 'note'],
  ['lost', 'nowhere', 'note'],
  ['elsewhere', 'body', 'body'],
])('after an added note, the focus that is %s goes to %s', async (_where, before, after) => {
  vi.stubGlobal('fetch', async () => Response.json({ version: 1, other: null }))
  client.draft.mockResolvedValueOnce({ ok: true, draft: DRAFT })
  const answered = Promise.withResolvers<object>()
  client.execute.mockReturnValueOnce(answered.promise)
  const page = await notes(0, 0, { ...kept, place: `focus ${before}`, text: 'He called back.' })
  const message = page.appendChild(document.createElement('textarea'))
  message.name = 'body'
  await fire(page.querySelector('form'), 'submit')
  await vi.waitFor(() => expect(client.execute).toHaveBeenCalled())
  page.querySelector<HTMLElement>(`[name="${before}"]`)?.focus()
  await act(async () => answered.resolve({ ok: true, command: commandView(DONE) }))
  await act(() => vi.dynamicImportSettled())
  expect(document.activeElement?.getAttribute('name')).toBe(after)
  message.remove()
  client.execute.mockReset()
})

test.each<[string, Outcome, readonly string[]]>([
  ['failed', FAILED, []],
  ['done', DONE, ['']],
])('after the page was left, an outcome %s saves %j', async (place, outcome, texts) => {
  const saved: string[] = []
  vi.stubGlobal('fetch', async (_path: string, { body }: { body: string }) => {
    saved.push(JSON.parse(body).text)
    return Response.json({ version: 1, other: null })
  })
  client.draft.mockResolvedValueOnce({ ok: true, draft: DRAFT })
  const answered = Promise.withResolvers<object>()
  client.execute.mockReturnValueOnce(answered.promise)
  const left = { ...kept, place: `left ${place}`, text: 'He called back.' }
  await fire((await notes(0, 0, left)).querySelector('form'), 'submit')
  await vi.waitFor(() => expect(client.execute).toHaveBeenCalled())
  await renderPage(null)
  await act(async () => answered.resolve({ ok: true, command: commandView(outcome) }))
  expect(saved).toEqual(texts)
  client.execute.mockReset()
})
