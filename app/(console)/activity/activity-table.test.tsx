// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { ALL_ACTIVITY } from '#lib/activity/activity-filter.ts'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { ActivityTable } from './activity-table.tsx'

vi.mock('next/navigation', () => ({
  usePathname: () => '/activity',
  useSearchParams: () => new URLSearchParams(),
  useRouter: () => ({ push: () => {} }),
}))

afterEach(closePage)

test.for([
  [false, 'Your scopes could not be read, so activity of others is missing.'],
  [true, 'No activity yet.'],
] as const)('says what is missing without scopes (known: %s)', async ([known, words]) => {
  const page = await renderPage(
    <ActivityTable filter={ALL_ACTIVITY} faults={[]} rows={[]} total={0} opened="" known={known} />,
  )
  expect(page.textContent).toContain(words)
  expect(page.textContent?.includes('could not be read')).toBe(!known)
})
