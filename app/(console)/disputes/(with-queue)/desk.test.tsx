// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { announceSessionEnded, announceSignedIn } from '#components/service/session-events.ts'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { useReadAhead } from '../use-current-queue.ts'
import { focusOutsideCase } from './queue-pane-list.tsx'

vi.mock('next/navigation', () => ({ useParams: () => ({ caseId: '' }) }))

afterEach(closePage)

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
