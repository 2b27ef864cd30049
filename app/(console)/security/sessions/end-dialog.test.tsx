// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { isUnloadGuarded } from '#components/frame/leave-guard.ts'
import { closePage, fire, pressEsc, renderPage } from '#lib/testing/render-page.ts'
import { EndDialog } from './end-dialog.tsx'

vi.mock('next/navigation', () => ({ useRouter: () => ({ refresh: () => {} }) }))
afterEach(closePage)

test('stays open while a session is ended', async () => {
  const close = vi.fn()
  const session = { id: 's', person: 'Mia', userId: 'u', ofPerson: 1, browser: 'Firefox', address: null } as const
  await renderPage(<EndDialog session={{ ...session, whose: 'other' }} onEnded={() => {}} onClose={close} />)
  const cancel = () => [...document.querySelectorAll('button')].find((one) => one.textContent === 'Cancel')
  await act(async () => cancel()?.click())
  await pressEsc()
  expect(close).toHaveBeenCalledTimes(2)
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  const field = document.querySelector('input')
  if (field !== null) field.value = 'Left the company.'
  expect(isUnloadGuarded()).toBe(true)
  await fire(document.querySelector('form'), 'submit')
  await act(async () => cancel()?.click())
  await pressEsc()
  expect(close).toHaveBeenCalledTimes(2)
})
