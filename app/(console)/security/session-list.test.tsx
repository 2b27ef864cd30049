// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { closePage, fire, renderPage } from '#lib/testing/render-page.ts'
import { SessionList } from './session-list.tsx'

const router = vi.hoisted(() => ({ refresh: vi.fn() }))
vi.mock('next/navigation', () => ({ useRouter: () => router }))
afterEach(closePage)

const session = {
  ...{ id: 's', browser: 'Firefox', way: 'Password', address: null, current: false },
  ...{ startedAt: '2026-11-20T10:00:00.000Z', lastActiveAt: '2026-11-20T10:05:00.000Z' },
}

test.each([
  ['keeps the page when no answer came', null, 0, 'It is not known whether it was ended.'],
  ['reads the page again after the end', 200, 1, 'The session of Firefox has ended.'],
])('%s', async (_what, status, refreshes, words) => {
  router.refresh.mockReset()
  vi.stubGlobal('fetch', async () => {
    if (status === null) throw new TypeError('Failed to fetch')
    return Response.json({ ok: true }, { status })
  })
  const page = await renderPage(<SessionList sessions={[session]} />)
  await fire(page.querySelector('[aria-label="End the session of Firefox"]'), 'click')
  expect(page.querySelector('[role="status"]')?.textContent).toContain(words)
  expect(router.refresh).toHaveBeenCalledTimes(refreshes)
})
