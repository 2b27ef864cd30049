// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { OmniboxDialog } from './omnibox-dialog.tsx'

const router = vi.hoisted(() => ({ refresh: vi.fn() }))
vi.mock('next/navigation', () => ({ useRouter: () => router }))
afterEach(closePage)

test.each([
  ['keeps the page and says so when no answer came', null],
  ['reads the page again in the new theme', 200],
])('%s', async (_what, status) => {
  router.refresh.mockReset()
  const close = vi.fn()
  vi.stubGlobal('fetch', async (path: string) => {
    if (path.includes('recent')) return Response.json({ things: [] })
    if (status === null) throw new TypeError('Failed to fetch')
    return Response.json({ ok: true })
  })
  const scopes = Promise.resolve(null)
  const page = await renderPage(<OmniboxDialog scopes={scopes} onGo={vi.fn()} onKeys={vi.fn()} onClose={close} />)
  const dark = [...page.querySelectorAll<HTMLElement>('[cmdk-item]')].find((item) => /dark/i.test(item.textContent))
  await act(async () => dark?.click())
  const isLost = status === null
  expect(page.textContent.includes('It is not known whether the choice was saved.')).toBe(isLost)
  expect([router.refresh, close].map((call) => call.mock.calls.length)).toEqual(isLost ? [0, 0] : [1, 1])
})
