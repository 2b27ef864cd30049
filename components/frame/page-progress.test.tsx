// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { NavigationProgress } from './page-progress.tsx'

const address = vi.hoisted(() => ({ path: '/a', renders: 0 }))
vi.mock('next/navigation', () => ({
  usePathname: () => {
    address.renders += 1
    return address.path
  },
  useSearchParams: () => new URLSearchParams(),
}))

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(async () => {
  await closePage()
  vi.useRealTimers()
})

const bar = () => document.querySelector('[role="status"]:not([hidden])')
const after = (ms: number) => act(async () => void vi.advanceTimersByTime(ms))

/** A page from which a link to `/b` is clicked; the address stays until the next call. */
async function show(path: string): Promise<void> {
  address.path = path
  await renderPage(
    <>
      <NavigationProgress />
      <a href="/b" onClick={(event) => event.preventDefault()}>
        B
      </a>
    </>,
  )
}

const leave = () => act(async () => document.querySelector<HTMLElement>('a')?.click())

test('shows a bar for a navigation that takes long', async () => {
  await show('/a')
  await leave()
  await after(199)
  expect(bar()).toBeNull()
  await after(1)
  expect(bar()).not.toBeNull()
  await after(15_000)
  expect(bar()).toBeNull()
})

test('shows the bar without an update, which restarts a rendering', async () => {
  await show('/a')
  const { renders } = address
  await leave()
  await after(200)
  expect(bar()).not.toBeNull()
  expect(address.renders).toBe(renders)
})

test('shows no bar for a page that came sooner', async () => {
  await show('/a')
  await leave()
  await show('/b')
  await after(1_000)
  expect(bar()).toBeNull()
})

test('shows no bar on a page that one returns to', async () => {
  await show('/a')
  await leave()
  await after(1_000)
  await show('/b')
  await show('/a')
  expect(bar()).toBeNull()
})
