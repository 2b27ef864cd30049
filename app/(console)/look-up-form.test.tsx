// @vitest-environment happy-dom
import type { ReactNode } from 'react'
import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { closePage, fire, renderPage } from '#lib/testing/render-page.ts'
import { SearchForm } from './cards/search-form.tsx'
import { LookUpForm } from './look-up-form.tsx'

const router = vi.hoisted(() => ({ refresh: vi.fn(() => new Promise(() => {})) }))
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
