// @vitest-environment happy-dom
import type { ReactNode } from 'react'
import { act } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { closePage, fire, renderPage } from '#lib/testing/render-page.ts'
import { SearchForm } from './cards/search-form.tsx'
import { LookUpForm } from './look-up-form.tsx'

const router = vi.hoisted(() => ({ refresh: vi.fn(() => new Promise(() => {})), push: vi.fn() }))
vi.mock('next/navigation', () => ({ useRouter: () => router }))
afterEach(closePage)

test.each<[string, ReactNode]>([
  ['look-up', <LookUpForm key="look-up" value="DEP-1" to="transactions" help="" />],
  ['card search', <SearchForm key="search" find="1234" fault={null} idAlone={false} />],
])('a %s under way keeps the focus of its button', async (_what, form) => {
  router.refresh.mockClear()
  await renderPage(form)
  const button = document.querySelector('button')
  await act(async () => button?.focus())
  for (const _press of [1, 2]) await fire(document.querySelector('form'), 'submit')
  expect([button?.disabled, button?.getAttribute('aria-disabled')]).toEqual([false, 'true'])
  expect(document.activeElement).toBe(button)
  expect(router.refresh).toHaveBeenCalledOnce()
})

const lookUp = async (page: HTMLElement, typed: string) => {
  const field = page.querySelector('input')
  if (field !== null) field.value = typed
  await fire(page.querySelector('form'), 'submit')
}

test.each(['deposits', 'transactions'] as const)('%s: a card number never gets into an address', async (to) => {
  router.push.mockClear()
  const page = await renderPage(<LookUpForm value={null} to={to} help="" />)
  for (const typed of ['4111111111111111', '4111 1111 1111 1111']) {
    await lookUp(page, typed)
    expect(page.textContent).toContain('Card numbers are never looked up. Find cards on the Cards page.')
  }
  expect(router.push).not.toHaveBeenCalled()
  await lookUp(page, '202611160041')
  expect(router.push).toHaveBeenCalledWith(expect.stringContaining('202611160041'))
})

const LIKE_A_CARD = '498750005864565'

test('looks up any merchant id', async () => {
  router.push.mockClear()
  await lookUp(await renderPage(<LookUpForm value={null} to="terminals" help="" />), LIKE_A_CARD)
  expect(router.push).toHaveBeenCalledWith(`/terminals?merchant=${LIKE_A_CARD}`)
})

test('looks up the reference of the page again', async () => {
  router.refresh.mockClear()
  const page = await renderPage(<LookUpForm value={LIKE_A_CARD} to="transactions" help="" />)
  expect(page.textContent).not.toContain('Card numbers')
  await lookUp(page, LIKE_A_CARD)
  expect(router.refresh).toHaveBeenCalledOnce()
})

test.each(['deposits', 'transactions', 'terminals'] as const)('%s: the browser itself submits nothing', (to) => {
  const html = renderToStaticMarkup(<LookUpForm value={null} to={to} help="" />)
  expect(html).not.toContain('action=')
  expect(html).toContain('disabled=""')
})
