// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { isUnloadGuarded } from '#components/frame/leave-guard.ts'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { EraseText } from './command-now.tsx'

vi.mock('next/navigation', () => ({ useRouter: () => ({ refresh: () => {} }) }))
afterEach(closePage)

test('asks before the typed reason of an erasure is lost', async () => {
  const page = await renderPage(<EraseText id="c" erasable />)
  await act(async () => page.querySelector('button')?.click())
  expect(isUnloadGuarded()).toBe(false)
  const reason = page.querySelector('input')
  if (reason !== null) reason.value = 'The customer asked for it.'
  expect(isUnloadGuarded()).toBe(true)
})
