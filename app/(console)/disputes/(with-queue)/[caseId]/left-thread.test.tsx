// @vitest-environment happy-dom
import { act, type ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { releaseUnloadGuards } from '#components/frame/leave-guard.ts'
import { type CommandReply, refusedUnsent } from '#lib/commands/command.ts'
import { commandView } from '#lib/commands/test-command.ts'
import { caseNotePlace, messagePlace } from '#lib/session/unsent-text-place.ts'
import { closePage, fire, renderPage } from '#lib/testing/render-page.ts'
import { InternalNotes } from './internal-notes.tsx'
import { ThreadPane } from './thread-pane.tsx'
import type { CaseStream } from './use-case-stream.ts'

const CASE = '00000000-0000-4000-8000-0000000c0001'
const sending = vi.hoisted(() => ({ ask: vi.fn() }))
vi.mock('#components/command/command-client.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  sendAtOnce: sending.ask,
  draft: async () => ({ ok: true, draft: { id: 'c', kind: 'case.note', immediate: true } }),
  execute: sending.ask,
}))
vi.mock('next/navigation', () => ({ useRouter: () => ({ refresh: () => {} }) }))
vi.mock('./thread-log.tsx', () => ({ ThreadLog: ({ children }: { children: ReactNode }) => children }))
vi.mock('./use-case-workspace.ts', () => ({
  useCaseWorkspace: () => ({ workspace: null, problem: null, refresh: () => {} }),
}))

const stream = { messages: [], readOnly: false, unreadable: 0, problem: null } as unknown as CaseStream
/** The text that the console has saved. */
let saved: { text: string; version: number }

const NOTHING = { owner: 'sso:me', text: '', version: 0, other: null as string | null }
const notes = () => <InternalNotes caseId={CASE} kept={{ ...NOTHING, place: caseNotePlace(CASE) }} />
const pane = (readOnly = false, kept = { ...NOTHING, place: messagePlace(CASE) }) => (
  <ThreadPane
    {...{
      caseId: CASE,
      stream: { ...stream, readOnly },
      me: 'me',
      seen: null,
      unreadUpTo: '',
      lastPassed: { current: null },
      open: [],
      missingScope: null,
    }}
    parties={{ raisedByUserId: 'ana', counterpartyUserId: 'ben', fromAccountId: 'ana', toAccountId: 'ben' }}
    kept={kept}
    reason={null}
    limit={null}
    resolved={null}
  />
)
const box = () => document.querySelector('textarea')

async function type(text: string): Promise<void> {
  const field = box()
  if (field !== null) field.value = text
  await fire(field, 'input')
}

let answer: (reply: CommandReply) => void

beforeEach(async () => {
  saved = { text: '', version: 0 }
  sending.ask.mockImplementation(() => new Promise((done) => (answer = done)))
  vi.stubGlobal('fetch', (_path: string, init: RequestInit) => {
    saved = { text: (JSON.parse(String(init.body)) as { text: string }).text, version: saved.version + 1 }
    return Promise.resolve(Response.json({ ok: true, version: saved.version, other: null }))
  })
})
afterEach(async () => {
  releaseUnloadGuards()
  await closePage()
})

async function send(page: ReactNode, text: string): Promise<void> {
  await renderPage(page)
  await type(text)
  await fire(document.querySelector('form'), 'submit')
}
const done = () =>
  act(async () => {
    answer({ ok: true, command: commandView({ class: 'done', steps: [], lines: [] }) })
  })

test('a message answered after the page was left is not offered again', async () => {
  await send(pane(), 'Which day was it?')
  await renderPage(null)
  await done()
  await renderPage(pane())
  expect(box()?.value).toBe('')
  await act(() => new Promise((wait) => setTimeout(wait, 400)))
  expect(saved.text).toBe('')
})

test('text typed after the sent message stays when the page is left', async () => {
  await send(pane(), 'Which day was it?')
  await type('And where?')
  await renderPage(null)
  await done()
  await renderPage(pane())
  expect(box()?.value).toBe('And where?')
})

test('text typed after the sent message stays when the case closes', async () => {
  await send(pane(), 'Which day was it?')
  await type('And where?')
  await renderPage(pane(true))
  await done()
  await act(() => new Promise((wait) => setTimeout(wait, 400)))
  expect(saved.text).toBe('And where?')
})

const unsentText = () => document.querySelector('[aria-label="Your unsent message"] > p')?.textContent

/** The next test begins without a text. */
async function forget(): Promise<void> {
  await renderPage(pane())
  await type('')
  await act(() => new Promise((wait) => setTimeout(wait, 400)))
}

test('calls only the rest unsent when the case closes meanwhile', async () => {
  await send(pane(), 'Which day was it?')
  await type('And where?')
  await renderPage(pane(true))
  expect(unsentText()).toBe('And where?')
  await done()
  expect(unsentText()).toBe('And where?')
  await forget()
})

test('shows a refused message as unsent once it is taken back', async () => {
  await send(pane(), 'Which day was it?')
  await renderPage(pane(true))
  expect(unsentText()).toBeUndefined()
  await act(async () => answer({ ok: true, command: commandView(refusedUnsent('The case is closed', '')) }))
  const back = [...document.querySelectorAll('button')].find((one) => one.textContent === 'Write it again')
  await act(async () => back?.click())
  expect(unsentText()).toBe('Which day was it?')
  await forget()
})

test('a draft that is not saved yet is not called saved', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  await renderPage(pane())
  await type('Which day was it?')
  await act(() => new Promise((wait) => setTimeout(wait, 400)))
  await renderPage(pane(true))
  expect(document.querySelector('h3')?.textContent).toBe('Your unsent message')
  expect(document.body.textContent).toContain('Not saved yet')
})

test('an emptied field is not called unsaved', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  await renderPage(pane())
  await type('Which day was it?')
  await act(() => new Promise((wait) => setTimeout(wait, 400)))
  expect(document.body.textContent).toContain('Not saved yet')
  await type('')
  await act(() => new Promise((wait) => setTimeout(wait, 400)))
  expect(document.body.textContent).not.toContain('Not saved yet')
})

test('another text is shown without the deadline of the first', async () => {
  const text = 'Which day was it?\n\nPlease answer by 2031-11-30 12:00 UTC.'
  await renderPage(pane(false, { ...NOTHING, place: 'case:other', text, other: 'And where?' }))
  await act(() => import('./snooze-dialog.tsx'))
  expect(document.body.textContent).toContain('Ends with:')
  const swap = [...document.querySelectorAll('button')].find((one) => one.textContent === 'Show the other text')
  await act(async () => swap?.click())
  await act(() => new Promise((wait) => setTimeout(wait, 400)))
  expect([box()?.value, saved.text]).toEqual(['And where?', 'And where?'])
  expect(document.body.textContent).not.toContain('Ends with:')
})

test('a note answered after the page was left is not offered again', async () => {
  await send(notes(), 'He called.')
  await renderPage(null)
  await done()
  await renderPage(notes())
  expect(box()?.value).toBe('')
})

test('a message on its way is shown again, not offered', async () => {
  await send(pane(), 'Where was it?')
  const [{ id }] = sending.ask.mock.lastCall as [{ id: string }]
  await renderPage(null)
  sending.ask.mockClear()
  await renderPage(pane())
  expect([box()?.value, document.body.textContent]).toEqual(['', expect.stringContaining('Where was it?')])
  expect(sending.ask.mock.calls).toEqual([[expect.objectContaining({ id })]])
  await done()
  await renderPage(null)
  await renderPage(pane())
  expect(document.body.textContent).not.toContain('Where was it?')
})

test('keeps what became of a message after the page was left', async () => {
  await send(pane(), 'Was it blue?')
  await renderPage(null)
  await act(async () => answer({ ok: true, command: commandView({ class: 'unknown', checking: '', advice: '' }) }))
  await renderPage(pane())
  expect([box()?.value, document.querySelectorAll('article').length]).toEqual(['', 1])
  const back = [...document.querySelectorAll('button')].find((one) => one.textContent === 'Write it again')
  expect(back).toBeUndefined()
})
