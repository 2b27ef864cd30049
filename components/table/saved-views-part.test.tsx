// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { holdRefreshes } from '#components/service/session-events.ts'
import { closePage, fire, renderPage } from '#lib/testing/render-page.ts'
import { SavedViewsPart } from './saved-views-part.tsx'

const router = vi.hoisted(() => ({ push: vi.fn(), refresh: vi.fn() }))
vi.mock('next/navigation', () => ({
  usePathname: () => '/cases',
  useSearchParams: () => new URLSearchParams(),
  useRouter: () => router,
}))

afterEach(closePage)

const part = (
  <SavedViewsPart
    views={{ table: 'cases', views: [], first: null, params: [] }}
    list={[]}
    chosen={null}
    now={{ query: {}, hidden: [], density: 'normal' }}
    changed={false}
    onSaved={() => {}}
    onChosen={() => {}}
  />
)

test('a button that waits keeps the focus and sends once', async () => {
  const ask = vi.fn(() => new Promise(() => {}))
  vi.stubGlobal('fetch', ask)
  const save = (await renderPage(part)).querySelector<HTMLButtonElement>('[type="submit"]')
  save?.focus()
  await act(async () => save?.click())
  await act(async () => save?.click())
  expect([save?.disabled, save?.getAttribute('aria-disabled')]).toEqual([false, 'true'])
  expect(document.activeElement).toBe(save)
  expect(ask).toHaveBeenCalledOnce()
})

test.each([
  ['opens the view that was saved', true],
  ['opens no view on a page that was left', false],
])('%s', async (_what, isHere) => {
  router.push.mockReset()
  let answer = (_response: Response) => {}
  vi.stubGlobal('fetch', () => new Promise((done) => (answer = done)))
  await renderPage(part)
  await fire(document.querySelector('form'), 'submit')
  if (!isHere) await renderPage(null)
  await act(async () => answer(Response.json({ ok: true, id: 'v1' })))
  expect(router.push.mock.calls).toEqual(isHere ? [['/cases?view=v1', { scroll: false }]] : [])
})

test.each([
  ['reads the page again after a save', false],
  ['keeps the page of an old build after a save', true],
])('%s', async (_what, isOutdated) => {
  router.refresh.mockReset()
  holdRefreshes(isOutdated)
  onTestFinished(() => holdRefreshes(false))
  vi.stubGlobal('fetch', async () => Response.json({ ok: true, id: 'v1' }))
  await renderPage(part)
  await fire(document.querySelector('form'), 'submit')
  expect(router.refresh).toHaveBeenCalledTimes(isOutdated ? 0 : 1)
})

test('keeps the page and the name when no answer came', async () => {
  router.refresh.mockReset()
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  const page = await renderPage(part)
  const name = page.querySelector<HTMLInputElement>('input:not([type="checkbox"])')
  if (name !== null) name.value = 'Mine'
  await fire(document.querySelector('form'), 'submit')
  expect(page.textContent).toContain('It is not known whether this was done. Reload the page')
  expect([name?.value, router.refresh.mock.calls]).toEqual(['Mine', []])
})
