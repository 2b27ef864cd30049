// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { closePage, fire, renderPage } from '#lib/testing/render-page.ts'
import { SavedViewsPart } from './saved-views-part.tsx'

const router = vi.hoisted(() => ({ push: vi.fn(), refresh: () => {} }))
vi.mock('next/navigation', () => ({
  usePathname: () => '/cases',
  useSearchParams: () => new URLSearchParams(),
  useRouter: () => router,
}))

afterEach(closePage)

test.each([
  ['opens the view that was saved', true],
  ['opens no view on a page that was left', false],
])('%s', async (_what, isHere) => {
  router.push.mockReset()
  let answer = (_response: Response) => {}
  vi.stubGlobal('fetch', () => new Promise((done) => (answer = done)))
  await renderPage(
    <SavedViewsPart
      views={{ table: 'cases', views: [], first: null, params: [] }}
      list={[]}
      chosen={null}
      now={{ query: {}, hidden: [], density: 'normal' }}
      changed={false}
      onSaved={() => {}}
      onChosen={() => {}}
    />,
  )
  await fire(document.querySelector('form'), 'submit')
  if (!isHere) await renderPage(null)
  await act(async () => answer(Response.json({ ok: true, id: 'v1' })))
  expect(router.push.mock.calls).toEqual(isHere ? [['/cases?view=v1', { scroll: false }]] : [])
})
