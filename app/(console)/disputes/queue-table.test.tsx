// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { queueOf } from '#lib/testing/queue-of.ts'
import { closePage, fire, renderPage } from '#lib/testing/render-page.ts'
import { QueueTable } from './queue-table.tsx'

const here = vi.hoisted(() => ({ query: '', exports: [] as string[] }))
vi.mock('next/navigation', () => ({
  usePathname: () => '/disputes',
  useSearchParams: () => new URLSearchParams(here.query),
  useRouter: () => ({ push: () => {}, refresh: () => {} }),
}))
vi.mock('#components/stream/subscribe.ts', () => ({ subscribe: () => () => {} }))
vi.mock('#components/export/receive-export.ts', () => ({ receiveExport: (to: string) => void here.exports.push(to) }))

afterEach(closePage)

async function exportButtonAt(query: string): Promise<HTMLButtonElement | undefined> {
  here.query = query
  const page = await renderPage(<QueueTable initial={queueOf([])} address={query} facts={{}} mayAssign={false} />)
  return [...page.querySelectorAll('button')].find(({ textContent }) => textContent?.includes('Export CSV'))
}

test('an export goes on while the operator pages and sorts', async () => {
  const button = await exportButtonAt('age=older')
  await fire(button ?? null, 'click')
  await vi.waitFor(() => expect(here.exports).toEqual(['/api/export/cases?age=older']))
  expect((await exportButtonAt('age=older&sort=-amount&page=2&size=50'))?.getAttribute('aria-disabled')).toBe('true')
  expect((await exportButtonAt('age=day'))?.getAttribute('aria-disabled')).toBe('false')
})
