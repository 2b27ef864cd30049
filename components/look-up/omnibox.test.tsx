// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { closePage, fire, renderPage } from '#lib/testing/render-page.ts'
import { Omnibox } from './omnibox.tsx'

const loads = vi.hoisted(() => ({ count: 0 }))
vi.mock('./omnibox-dialog.tsx', () => {
  loads.count += 1
  return { OmniboxDialog: () => <div role="dialog">Opened</div> }
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
