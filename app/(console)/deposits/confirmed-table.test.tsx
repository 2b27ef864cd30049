// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { ConfirmedTable } from './confirmed-table.tsx'

vi.mock('next/navigation', () => ({
  usePathname: () => '/deposits',
  useSearchParams: () => new URLSearchParams(),
  useRouter: () => ({ push: () => {} }),
}))

afterEach(closePage)

const NONE = { kind: 'rows', rows: [], total: 0 } as const

test.for([null, 'on 2026-11-20 (UTC)'])('says what is missing without scopes (search: %s)', async (searched) => {
  const page = await renderPage(
    <ConfirmedTable reading={NONE} everyone={false} scopesKnown={false} searched={searched} />,
  )
  expect(page.textContent).toContain('Your scopes could not be read, so deposits of others are missing.')
  expect(page.textContent).not.toMatch(/all need|\bnone\b|no confirmed/i)
})

test('names the scope that a person lacks', async () => {
  const page = await renderPage(<ConfirmedTable reading={NONE} everyone={false} />)
  expect(page.textContent).toContain('Only your own; all need core:transactions:confirm.')
  expect(page.textContent).not.toContain('could not be read')
})
