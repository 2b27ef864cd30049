// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { announceSessionEnded, announceSignedIn } from '#components/service/session-events.ts'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { useReadAhead } from '../use-current-queue.ts'
import { RefreshIfOld } from './desk.tsx'
import { focusOutsideCase } from './queue-pane-list.tsx'

const router = vi.hoisted(() => ({ refresh: vi.fn() }))
vi.mock('next/navigation', () => ({ useRouter: () => router, useParams: () => ({ caseId: '' }) }))
vi.mock('#components/values/timestamp.tsx', () => ({ serverNowMs: () => 60_000 }))

beforeEach(() => void router.refresh.mockReset())
afterEach(closePage)

test.each([
  ['an old page once', 29_999, 1],
  ['no page that is new enough', 30_000, 0],
])('refreshes %s', async (_what, renderedAtMs, times) => {
  await renderPage(<RefreshIfOld renderedAtMs={renderedAtMs} olderThanMs={30_000} />)
  await renderPage(<RefreshIfOld renderedAtMs={renderedAtMs} olderThanMs={30_000} />)
  expect(router.refresh).toHaveBeenCalledTimes(times)
})

test('refreshes a page that comes back', async () => {
  const page = <RefreshIfOld renderedAtMs={50_000} olderThanMs={30_000} />
  await renderPage(page)
  expect(router.refresh).not.toHaveBeenCalled()
  await renderPage(null)
  await renderPage(page)
  expect(router.refresh).toHaveBeenCalledOnce()
})

const Ahead = () => <p>{useReadAhead('case')}</p>

test('reads no page ahead once the session has ended', async () => {
  vi.useFakeTimers()
  try {
    await renderPage(<Ahead />)
    const ahead = () => document.querySelector('p')?.textContent
    await act(() => vi.advanceTimersByTimeAsync(600))
    expect(ahead()).toBe('1')
    await act(async () => announceSessionEnded())
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    expect(ahead()).toBe('0')
  } finally {
    announceSignedIn()
    vi.useRealTimers()
  }
})

test('takes the focus out of a case that is left, and only then', async () => {
  await renderPage(
    <main id="main" tabIndex={-1}>
      <button type="button">Next</button>
      <section aria-label="Case">
        <h1 tabIndex={-1}>Case</h1>
      </section>
    </main>,
  )
  document.querySelector('button')?.focus()
  focusOutsideCase()
  expect(document.activeElement?.tagName).toBe('BUTTON')
  document.querySelector('h1')?.focus()
  focusOutsideCase()
  expect(document.activeElement?.id).toBe('main')
})
