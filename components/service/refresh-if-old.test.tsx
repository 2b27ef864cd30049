// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { RefreshIfOld } from './retry-button.tsx'

const router = vi.hoisted(() => ({ refresh: vi.fn() }))
vi.mock('next/navigation', () => ({ useRouter: () => router }))
vi.mock(import('#components/values/timestamp.tsx'), async (actual) => ({
  ...(await actual()),
  serverNowMs: () => 60_000,
}))

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
