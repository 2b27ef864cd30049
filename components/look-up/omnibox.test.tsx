// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { closePage, fire, renderPage } from '#lib/testing/render-page.ts'
import { Omnibox } from './omnibox.tsx'
import type { OmniboxDialogProps } from './omnibox-dialog.tsx'
import { takeRequestedAct } from './requested-act.ts'

const loads = vi.hoisted(() => ({ count: 0 }))
vi.mock('./omnibox-dialog.tsx', () => {
  loads.count += 1
  return {
    OmniboxDialog: ({ onGo }: OmniboxDialogProps) => (
      <button type="button" onClick={() => onGo('/disputes', 'assign-next')}>
        Opened
      </button>
    ),
  }
})
vi.mock('./keys-dialog.tsx', () => ({ KeysDialog: () => null }))

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(async () => {
  await closePage()
  vi.useRealTimers()
})

test('loads its dialog before it is needed, and opens at once', async () => {
  const page = await renderPage(<Omnibox scopes={Promise.resolve(null)} />)
  expect(loads.count).toBe(0)
  await act(async () => {
    await vi.advanceTimersByTimeAsync(2_500)
    await vi.dynamicImportSettled()
  })
  expect(loads.count).toBe(1)
  await fire(page.querySelector('button'), 'click')
  expect(page.textContent).toContain('Opened')
})

test.each([true, false])('runs an act only where the page may be left: stays %s', async (stays) => {
  const onClick = (event: Event) => {
    if (!(event.target instanceof HTMLAnchorElement)) return
    event.preventDefault()
    if (stays) event.stopPropagation()
  }
  document.addEventListener('click', onClick, true)
  const page = await renderPage(<Omnibox scopes={Promise.resolve(null)} />)
  await fire(page.querySelector('button'), 'click')
  await act(() => vi.dynamicImportSettled())
  await act(async () => [...page.querySelectorAll('button')].at(-1)?.click())
  document.removeEventListener('click', onClick, true)
  expect(takeRequestedAct('assign-next')).toBe(!stays)
})
