// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Command, CommandState } from '#components/command/command-state.ts'
import { announceSessionEnded, announceSignedIn } from '#components/service/session-events.ts'
import type { CommandView, Outcome } from '#lib/commands/command.ts'
import { commandView } from '#lib/commands/test-command.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { TwoFactorActions } from './two-factor-actions.tsx'

/** Of enrol, confirm and remove. */
const commands = vi.hoisted(() => ({ all: [] as Command[], next: 0 }))
vi.mock('next/navigation', () => ({ useRouter: () => ({ refresh: () => {} }) }))
vi.mock('#components/command/use-command.ts', () => ({
  useCommand: () => commands.all[commands.next++ % commands.all.length],
}))
vi.mock('#components/command/command-outcome.tsx', () => ({ CommandOutcome: () => null }))

const command = (state: CommandState = { step: 'idle' }): Command =>
  ({ state, faults: {}, inFlight: null, clear: vi.fn(), prepare: vi.fn() }) as unknown as Command

const KEY = 'otpauth://totp/Console:olga?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&digits=6'
const keyShown = (): Command => {
  const view = { id: 'c', outcome: { class: 'done', lines: [], steps: [] } } as unknown as CommandView
  return command({ step: 'outcome', command: view, once: { what: 'totp-key', url: KEY, barcode: '' }, notice: null })
}
const unanswered = () => command({ step: 'unanswered', id: 'c', problem: problemOf('unreachable') })

function show(enrolled: boolean | null, ...all: readonly [Command, Command, Command]): Promise<HTMLElement> {
  Object.assign(commands, { all, next: 0 })
  const facts = { enrolledAt: null, lockedUntil: null, lockedSeconds: null, digits: 6 }
  const status = enrolled === null ? null : { ...facts, enrolled, lockAhead: { isNext: false, seconds: null } }
  return renderPage(<TwoFactorActions status={status} problem={status === null ? problemOf('unreachable') : null} />)
}

afterEach(async () => {
  await closePage()
  vi.useRealTimers()
  announceSignedIn()
})

test('drops the key when the session ends', async () => {
  const enrol = keyShown()
  const page = await show(false, enrol, command(), command())
  expect(page.textContent).toContain('GEZD')
  await act(async () => announceSessionEnded())
  expect(enrol.clear).toHaveBeenCalledOnce()
})

test('holds no key once the page is hidden', async () => {
  const enrol = keyShown()
  const page = await show(false, enrol, command(), command())
  window.dispatchEvent(new Event('pagehide'))
  for (const words of ['GEZD', 'GEZDGNBV']) expect(page.innerHTML).not.toContain(words)
  expect(page.querySelector('img')).toBeNull()
  await act(async () => {})
  expect(enrol.clear).toHaveBeenCalledOnce()
})

test('a clock set back keeps the key no longer', async () => {
  vi.useFakeTimers()
  const enrol = keyShown()
  await show(false, enrol, command(), command())
  vi.setSystemTime(Date.now() - 3_600_000)
  await act(() => vi.advanceTimersByTimeAsync(598_000))
  expect(enrol.clear).not.toHaveBeenCalled()
  await act(() => vi.advanceTimersByTimeAsync(2_000))
  expect(enrol.clear).toHaveBeenCalledOnce()
})

test('a removal without an answer cannot be cancelled', async () => {
  const page = await show(true, command(), command(), command())
  const toggle = () => page.querySelector<HTMLButtonElement>('button[aria-expanded]')
  await act(async () => toggle()?.click())
  const sent = unanswered()
  await show(true, command(), command(), sent)
  await act(async () => toggle()?.click())
  expect(sent.clear).not.toHaveBeenCalled()
  expect(toggle()?.getAttribute('aria-disabled')).toBe('true')
})

test('keeps an unanswered code when its key is dropped', async () => {
  const [enrol, confirm] = [keyShown(), unanswered()]
  await show(false, enrol, confirm, command())
  await act(async () => announceSessionEnded())
  expect(enrol.clear).toHaveBeenCalledOnce()
  expect(confirm.clear).not.toHaveBeenCalled()
})

test('keeps key and rejection beside a status that cannot be read', async () => {
  const enrol = keyShown()
  await show(false, enrol, command(), command())
  const problem = problemOf('service', { status: 400, code: 'core::gatekeeper::code::invalid' })
  const outcome: Outcome = { class: 'refused', sent: true, title: '', advice: '', problem }
  const rejected = command({ step: 'outcome', command: commandView(outcome), once: null, notice: null })
  const page = await show(null, enrol, rejected, command())
  for (const words of ['Try again', 'GEZD', 'The code was rejected']) expect(page.textContent).toContain(words)
})

test('counts each lock from when its status arrived', async () => {
  vi.useFakeTimers()
  const facts = { enrolled: true, enrolledAt: null, digits: 6, lockAhead: { isNext: false, seconds: null } }
  const status = { ...facts, lockedSeconds: 300, lockedUntil: '2026-11-20T10:05:00.000Z' }
  Object.assign(commands, { all: [command(), command(), command()], next: 0 })
  const page = await renderPage(<TwoFactorActions status={status} problem={null} />)
  await act(() => vi.advanceTimersByTimeAsync(200_000))
  await act(async () => page.querySelector<HTMLElement>('button[aria-expanded]')?.click())
  await act(() => vi.advanceTimersByTimeAsync(0))
  expect(page.textContent).toMatch(/taken again in 1:4[01]/)
  await act(() => vi.advanceTimersByTimeAsync(101_000))
  expect([page.textContent?.includes('Locked'), page.querySelector('input')?.readOnly]).toEqual([false, false])
  await renderPage(<TwoFactorActions status={{ ...status }} problem={null} />)
  await act(() => vi.advanceTimersByTimeAsync(0))
  expect([page.textContent?.includes('Locked'), page.querySelector('input')?.readOnly]).toEqual([true, true])
  expect(page.textContent).toContain('taken again in 5:00')
})

test('says nothing outdated once a change is done', async () => {
  const { state } = keyShown()
  const done = command(state.step === 'outcome' ? { ...state, once: null } : state)
  await show(false, command(), done, command())
  expect((await show(null, command(), done, command())).textContent).not.toContain('Not set up')
})
