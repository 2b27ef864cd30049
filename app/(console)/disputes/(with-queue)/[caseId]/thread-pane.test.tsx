// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { UnsentText } from '#components/frame/unsent-text.tsx'
import { refusedUnsent } from '#lib/commands/command.ts'
import { commandView } from '#lib/commands/test-command.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { closePage, fire, renderPage } from '#lib/testing/render-page.ts'
import { type Outgoing, useOutbox } from './outbox.ts'
import { OutgoingMessage } from './outgoing-message.tsx'
import { useSavedText } from './thread-pane.tsx'

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

function Thread({ initial = [] }: { initial?: readonly Outgoing[] }) {
  outbox = useOutbox({
    ...{ caseId: 'c', owner: 'me', me: 'me', messages: [], initial },
    ...{ onSent: () => {}, onSentSince: () => {}, onReturned: () => {} },
  })
  useSavedText(() => '', unsent, outbox.entries)
  return outbox.entries.map(({ body, state }) => `${body}: ${state.step}; `).join('')
}

const shown = async () => (await renderPage(<Thread />)).textContent

beforeEach(async () => {
  saved = ''
  sent.reply.mockResolvedValue({ ok: true, command: commandView(refusedUnsent('The thread is closed', '')) })
  await shown()
  await act(async () => outbox.send({ body: 'first' }))
  await act(async () => outbox.send({ body: 'second' }))
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

test('a page opened with a refused message saves only what changes', async () => {
  const initial = outbox.entries
  await closePage()
  saved = 'first\n\nsecond\n\ntyped'
  await renderPage(<Thread initial={initial} />)
  expect(saved).toBe('first\n\nsecond\n\ntyped')
  await act(async () => outbox.drop(initial[0]?.id ?? ''))
  expect(saved).toBe('second')
})

test('sends a refused message again after the pause, with its focus', async () => {
  vi.useFakeTimers()
  const sendAgain = vi.fn()
  const problem = problemOf('service', { status: 429, retryAfterSeconds: 3 })
  const entry = { id: 'm', body: 'May I?', state: { step: 'not-sent', why: 'Too many requests', problem } } as const
  await renderPage(
    <OutgoingMessage
      entry={{ ...entry, answeredAtMs: Date.now() }}
      onOutcome={() => {}}
      onSendAgain={sendAgain}
      onBack={() => {}}
    />,
  )
  const button = document.querySelector('button')
  button?.focus()
  await fire(button, 'click')
  expect(document.body.textContent).toMatch(/May I\?.*You can try again in 3 s/)
  await act(() => vi.advanceTimersByTimeAsync(4_000))
  expect(sendAgain).not.toHaveBeenCalled()
  await fire(button, 'click')
  expect([sendAgain.mock.calls.length, document.activeElement === button]).toEqual([1, true])
  vi.useRealTimers()
})
