// @vitest-environment happy-dom
import { act } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import type { LockAhead } from '#lib/commands/code.ts'
import type { StepUpOutcome } from '#lib/commands/command.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { StepUpDialog } from './step-up-dialog.tsx'

// What it stands in is of no matter here, and needs a browser.
const seams = vi.hoisted(() => ({ close: () => {} }))
vi.mock('#components/frame/modal.tsx', () => ({
  Modal: ({ children, onClose }: { children: React.ReactNode; onClose: () => void }) => {
    seams.close = onClose
    return children
  },
}))

const WANTED: StepUpOutcome = {
  class: 'step-up',
  need: 'code',
  title: 'A code is needed',
  advice: 'Nothing has changed yet.',
  rejected: true,
  triesLeft: 2,
  lockedSeconds: null,
  digits: 6,
  problem: null,
}

const alertsAt = (lockAhead: LockAhead, change: Partial<StepUpOutcome> = {}): readonly string[] => {
  const wanted = { ...WANTED, lockAhead, ...change }
  const page = renderToStaticMarkup(
    <StepUpDialog title="Confirm" stepUp={wanted} sending={false} onCode={() => {}} onCancel={() => {}} />,
  )
  return [...page.matchAll(/<p role="alert"[^>]*>(.*?)<\/p>/g)].map(([, inner = '']) => inner.replace(/<[^>]+>/g, ''))
}

test('the last code before the lock is announced, with how long the lock lasts', () => {
  const words = 'One more rejected code locks verification for 5 minutes.'
  expect(alertsAt({ isNext: true, seconds: 300 })).toContain(words)
  expect(alertsAt({ isNext: false, seconds: 300 })).not.toContain(words)
})

test('warns before the last code of a dialog', () => {
  const ahead = { isNext: null, seconds: null }
  expect(alertsAt(ahead).join()).not.toContain('lock verification')
  expect(alertsAt(ahead, { triesLeft: 1 }).join()).toContain('Too many rejected codes lock verification')
})

test('while no code is taken, none is warned of', () => {
  expect(alertsAt({ isNext: true, seconds: 300 }, { lockedSeconds: 60 }).join()).not.toContain('One more')
})

test('waits before another try as the service asked', () => {
  const problem = problemOf('service', { status: 429, retryAfterSeconds: 20 })
  const page = renderToStaticMarkup(
    <StepUpDialog
      title="Confirm"
      stepUp={{ ...WANTED, need: 'later', problem }}
      sending={false}
      onCode={() => {}}
      onCancel={() => {}}
    />,
  )
  expect(page).toMatch(/aria-disabled="true"[^>]*>Try again</)
  expect(page.replace(/<[^>]+>/g, '')).toContain('You can try again in 20 s.')
})

test.each([
  [false, 1],
  [true, 0],
])('closes only while no code is checked: %s', (sending, times) => {
  const cancel = vi.fn()
  renderToStaticMarkup(
    <StepUpDialog title="Confirm" stepUp={WANTED} sending={sending} onCode={() => {}} onCancel={cancel} />,
  )
  seams.close()
  expect(cancel).toHaveBeenCalledTimes(times)
})

test('a second lock of the same length locks again', async () => {
  vi.useFakeTimers()
  const shown = () =>
    renderPage(
      <StepUpDialog
        title="Confirm"
        stepUp={{ ...WANTED, lockedSeconds: 60 }}
        sending={false}
        onCode={() => {}}
        onCancel={() => {}}
      />,
    )
  const page = await shown()
  await act(() => vi.advanceTimersByTimeAsync(61_000))
  const locked = () => [page.querySelector('input')?.readOnly, page.querySelector('button[form]')?.matches(':disabled')]
  expect(locked()).toEqual([false, false])
  await shown()
  expect(locked()).toEqual([true, true])
  await closePage()
  vi.useRealTimers()
})
