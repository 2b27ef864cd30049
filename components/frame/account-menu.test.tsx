// @vitest-environment happy-dom
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { HANDLE_REPLACED, problemOf } from '#lib/contract/problem-of.ts'
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

test.each([
  [HANDLE_REPLACED, 'Sign-out did not go through. Sign in again.', []],
  [null, null, [['/signed-out']]],
])('leaves the page after 401 unless the session lives: %s', async (code, fault, moves) => {
  vi.useFakeTimers()
  const problem = problemOf('session-over', { status: 401, code })
  vi.stubGlobal('fetch', async () => Response.json({ problem }, { status: 401 }))
  const assign = vi.spyOn(window.location, 'assign').mockReturnValue()
  const ended = signOut()
  await vi.runAllTimersAsync()
  expect(await ended).toBe(fault)
  expect(assign.mock.calls).toEqual(moves)
  assign.mockRestore()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})
