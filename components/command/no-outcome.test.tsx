// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CommandView, Outcome } from '#lib/commands/command.ts'
import { commandView } from '#lib/commands/test-command.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { TopicResult } from '#lib/stream/stream-event.ts'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { SlowSend } from './no-outcome.tsx'

type Listen = (result: TopicResult<CommandView>) => void

let listen: Listen
const stream = vi.hoisted(() => ({ subscribe: vi.fn() }))
vi.mock('#components/stream/subscribe.ts', () => stream)

const NOW = Date.parse('2026-11-20T10:00:00.000Z')

beforeEach(() => {
  vi.useFakeTimers()
  vi.setSystemTime(NOW)
  stream.subscribe.mockReset().mockImplementation((_topic: string, onResult: Listen) => {
    listen = onResult
    return () => {}
  })
})
afterEach(async () => {
  await closePage()
  vi.useRealTimers()
})

const after = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1_000))
const announced = () => document.querySelector('[role="status"]')?.textContent
const shown = () => document.body.textContent ?? ''
const push = (result: TopicResult<CommandView>) => act(async () => listen(result))
const pushOutcome = (outcome: Outcome) => push({ ok: true, value: commandView(outcome) })
const LEAVE = 'You can leave this page'

test('counts the seconds from the third, and announces it once', async () => {
  await renderPage(<SlowSend id="c" kind="deposit.confirm" sinceMs={NOW} />)
  await after(2)
  expect(shown()).toBe('')
  await after(1)
  expect(shown()).toContain('Sending for 3 s.')
  await after(5)
  expect(shown()).toContain('Sending for 8 s.')
  expect(document.querySelector('[aria-live="off"]')?.textContent).toContain('Sending for 8 s.')
  expect(announced()).toBe('Still sending. ')
})

test('offers to leave once the console has recorded the sending', async () => {
  await renderPage(<SlowSend id="c" kind="deposit.confirm" sinceMs={NOW} />)
  await after(9)
  expect(stream.subscribe).not.toHaveBeenCalled()
  await after(1)
  expect(stream.subscribe.mock.calls[0]?.[0]).toBe('command c')
  await push({ ok: false, problem: problemOf('service', { status: 404 }) })
  expect(shown()).not.toContain(LEAVE)
  await pushOutcome({ class: 'prepared' })
  expect(shown()).not.toContain(LEAVE)
  await pushOutcome({ class: 'sending' })
  expect(announced()).toContain('You can leave this page: the outcome is saved and shown in Activity.')
})

test('asks to stay for what only this answer shows', async () => {
  await renderPage(<SlowSend id="c" kind="card.issue" sinceMs={NOW} />)
  await after(10)
  await pushOutcome({ class: 'sending' })
  expect(shown()).toContain('Stay on this page: it shows the card number only once.')
  expect(shown()).not.toContain(LEAVE)
})
