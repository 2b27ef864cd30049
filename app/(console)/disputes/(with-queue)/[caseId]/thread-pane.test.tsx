// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { UnsentText } from '#components/frame/unsent-text.tsx'
import { refusedUnsent } from '#lib/commands/command.ts'
import { commandView } from '#lib/commands/test-command.ts'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { useOutbox, useSavedText } from './thread-pane.tsx'

const sent = vi.hoisted(() => ({ reply: vi.fn() }))
vi.mock('#components/command/command-client.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  sendAtOnce: sent.reply,
}))

let outbox: ReturnType<typeof useOutbox>
let saved: string

const unsent = {
  keep: (text: string) => {
    saved = text
  },
  forget: () => {
    saved = ''
  },
} as UnsentText

function Thread() {
  outbox = useOutbox({ caseId: 'c', owner: 'me', initial: [], onSent: () => {}, onReturned: () => {} })
  useSavedText({ current: null }, unsent, outbox.entries)
  return outbox.entries.map(({ body, state }) => `${body}: ${state.step}; `).join('')
}

const shown = async () => (await renderPage(<Thread />)).textContent

beforeEach(async () => {
  saved = ''
  sent.reply.mockResolvedValue({ ok: true, command: commandView(refusedUnsent('The thread is closed', '')) })
  await shown()
  await act(async () => outbox.send('first'))
  await act(async () => outbox.send('second'))
})
afterEach(closePage)

test('shows and saves two refused messages', async () => {
  expect(await shown()).toBe('first: outcome; second: outcome; ')
  expect(saved).toBe('first\n\nsecond')
})

test('keeps the other refused message when one is dropped', async () => {
  await act(async () => outbox.drop(outbox.entries[0]?.id ?? ''))
  expect(await shown()).toBe('second: outcome; ')
  expect(saved).toBe('second')
})

test('sends one refused message again under another id', async () => {
  const [first] = outbox.entries
  if (first !== undefined) await act(async () => outbox.sendAgain(first))
  expect(await shown()).toBe('second: outcome; first: outcome; ')
  expect(new Set(sent.reply.mock.calls.map(([{ id }]) => id)).size).toBe(3)
  expect(saved).toBe('second\n\nfirst')
})
