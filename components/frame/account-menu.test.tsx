// @vitest-environment happy-dom
import { act } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { HANDLE_REPLACED, problemOf } from '#lib/contract/problem-of.ts'
import { closePage, fire, renderPage } from '#lib/testing/render-page.ts'
import { AccountMenu, signOut } from './account-menu.tsx'
import { guardUnload } from './leave-guard.ts'
import { NotifyChoice } from './notify-choice.tsx'

const router = vi.hoisted(() => ({ refresh: vi.fn() }))
vi.mock('next/navigation', () => ({ useRouter: () => router }))

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

test.each([
  ['theme', 'dark'],
  ['notify', 'off'],
])('keeps the page when the answer to a choice is lost: %s', async (name, value) => {
  router.refresh.mockReset()
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  const notifications = <NotifyChoice chosen approvals={false} />
  const page = await renderPage(
    <AccountMenu name="Mia" roles={null} theme="system" timeFirst="local" notifications={notifications} />,
  )
  await fire(document.querySelector('#account'), 'beforetoggle')
  await act(async () => document.querySelector<HTMLElement>(`[name="${name}"][value="${value}"]`)?.click())
  expect(page.textContent).toContain('It is not known whether the choice was saved. The console cannot be reached.')
  expect(router.refresh).not.toHaveBeenCalled()
  await closePage()
})
