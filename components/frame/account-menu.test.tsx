// @vitest-environment happy-dom
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { AccountMenu, signOut } from './account-menu.tsx'
import { guardUnload } from './leave-guard.ts'

vi.mock('next/navigation', () => ({ useRouter: () => ({ refresh: () => {} }) }))

test('shows hidden characters in the operator’s name', () => {
  const html = renderToStaticMarkup(
    <AccountMenu name={'mia\u202E'} roles={null} theme="system" timeFirst="local" notifications={null} />,
  )
  expect(html.match(/mia\[U\+202E\]/g)).toHaveLength(3)
})

test('asks about typed text before it signs out', async () => {
  const request = vi.fn()
  vi.stubGlobal('fetch', request)
  vi.stubGlobal('confirm', () => false)
  const end = guardUnload({ holds: () => true })
  expect(await signOut()).toBeNull()
  expect(request).not.toHaveBeenCalled()
  end()
  vi.unstubAllGlobals()
})
