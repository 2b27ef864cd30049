// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { ResolveDispute } from './resolve-dispute.tsx'

const router = vi.hoisted(() => ({ refresh: vi.fn() }))
vi.mock('next/navigation', () => ({ useRouter: () => router }))
afterEach(closePage)

test('reads a disputed transaction again that comes back', async () => {
  const disputed = { fromAccountId: 'ana', toAccountId: 'ben', debit: '40', credit: '40' }
  const kept = { owner: 'sso:me', place: 'reason:X-1', text: '', version: 0, other: null }
  const form = { disputed, kept, verifiedUntil: null, blockedReason: null, policy: null, renderedAtMs: Date.now() }
  const page = <ResolveDispute referenceId="X-1" form={form} latest={null} />
  expect((await renderPage(page)).querySelector('form')).not.toBeNull()
  expect(router.refresh).not.toHaveBeenCalled()
  await renderPage(null)
  await renderPage(page)
  expect(router.refresh).toHaveBeenCalledOnce()
})
