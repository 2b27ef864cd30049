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

const PLACES = ['deposits', 'transactions', 'terminals'] as const

test.each(PLACES)('%s: a card number never gets into an address', async (to) => {
  router.push.mockClear()
  const page = await renderPage(<LookUpForm value={null} to={to} help="" />)
  const field = page.querySelector('input')
  const lookUp = async (typed: string) => {
    if (field !== null) field.value = typed
    await fire(page.querySelector('form'), 'submit')
  }
  for (const typed of ['4111111111111111', '4111 1111 1111 1111']) {
    await lookUp(typed)
    expect(page.textContent).toContain('Card numbers are never looked up')
  }
  expect(router.push).not.toHaveBeenCalled()
  await lookUp('202611160041')
  expect(router.push).toHaveBeenCalledWith(expect.stringContaining('202611160041'))
})

test.each(PLACES)('%s: the browser itself submits nothing', (to) => {
  const html = renderToStaticMarkup(<LookUpForm value={null} to={to} help="" />)
  expect(html).not.toContain('action=')
  expect(html).toContain('disabled=""')
})
