// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { DiscardedNotice } from './discarded-notice.tsx'

const router = vi.hoisted(() => ({ push: vi.fn(), refresh: () => {} }))
const requests = vi.hoisted(() => ({ restore: vi.fn() }))
vi.mock('next/navigation', () => ({ useRouter: () => router }))
vi.mock('./statement-requests.ts', () => requests)

afterEach(closePage)

test.each([[[]], [['A payment went back.']]])('opens the statement after a restore, or shows %j', async (warnings) => {
  router.push.mockReset()
  requests.restore.mockResolvedValueOnce({ ok: true, value: { warnings } })
  await renderPage(<DiscardedNotice id="s" by="mia" until="2026-12-01T00:00:00.000Z" yours />)
  const buttons = [...document.querySelectorAll('button')]
  await act(async () => buttons.find((one) => one.textContent === 'Restore')?.click())
  expect(router.push).toHaveBeenCalledTimes(1 - warnings.length)
  const status = document.querySelector('[role=status]')
  expect(status?.textContent).toBe(
    warnings.length === 0 ? undefined : `The statement is restored. ${warnings[0]}Open the statement`,
  )
})
