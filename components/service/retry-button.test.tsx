// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { problemOf } from '#lib/contract/problem-of.ts'
import { closePage, fire, renderPage } from '#lib/testing/render-page.ts'
import { ProblemPanel } from './problem-panel.tsx'
import { PausedButton } from './retry-button.tsx'

const refresh = vi.hoisted(() => vi.fn())
vi.mock('next/navigation', () => ({ useRouter: () => ({ refresh }) }))

beforeEach(() => {
  vi.useFakeTimers()
  vi.setSystemTime('2026-11-20T10:00:00.000Z')
  refresh.mockReset()
})
afterEach(async () => {
  await closePage()
  vi.useRealTimers()
})

const button = () => document.querySelector<HTMLButtonElement>('button[data-slot="button"]')
const waits = () => button()?.getAttribute('aria-disabled') === 'true'
const after = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const refused = (retryAfterSeconds: number | null) => problemOf('service', { status: 429, retryAfterSeconds })

test('waits as long as the service asked, with the focus', async () => {
  await renderPage(<ProblemPanel problem={refused(12)} />)
  const shown = button()
  shown?.focus()
  await fire(shown, 'click')
  expect([refresh.mock.calls.length, waits(), shown?.disabled]).toEqual([0, true, false])
  const reason = document.getElementById(shown?.getAttribute('aria-describedby') ?? '')
  expect([reason?.textContent, reason?.getAttribute('aria-live')]).toEqual(['You can try again in 12 s.', 'off'])
  await after(5_000)
  expect(reason?.textContent).toBe('You can try again in 7 s.')
  await after(7_000)
  expect(document.querySelector('[role="status"]')?.textContent).toBe('You can try again now.')
  expect([button() === shown, document.activeElement === shown, waits()]).toEqual([true, true, false])
  expect(refresh).not.toHaveBeenCalled()
  await fire(shown, 'click')
  expect(refresh).toHaveBeenCalledOnce()
})

test('starts again after a second refusal of the same length', async () => {
  const shown = (busy: boolean) => (
    <PausedButton seconds={5} busy={busy} onClick={() => {}}>
      Try again
    </PausedButton>
  )
  await renderPage(shown(false))
  await after(5_000)
  expect(waits()).toBe(false)
  await renderPage(shown(true))
  await after(2_000)
  await renderPage(shown(false))
  expect(document.body.textContent).toContain('You can try again in 5 s.')
})

test.each([
  ['429 without a time', refused(null)],
  ['503', problemOf('service', { status: 503, retryAfterSeconds: 60 })],
])('does not wait after %s', async (_what, problem) => {
  await renderPage(<ProblemPanel problem={problem} />)
  expect([waits(), document.body.textContent?.includes('You can try again')]).toEqual([false, false])
})

test('gives the focus to the page when it disappears', async () => {
  const page = (shown: boolean) => (
    <main tabIndex={-1}>{shown ? <ProblemPanel problem={refused(null)} /> : 'The rows.'}</main>
  )
  await renderPage(page(true))
  button()?.focus()
  await renderPage(page(false))
  expect(document.activeElement?.tagName).toBe('MAIN')
})
