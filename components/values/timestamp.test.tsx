// @vitest-environment happy-dom
import { startTransition, useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { useClockText } from './timestamp.tsx'

afterEach(async () => {
  await closePage()
  vi.useRealTimers()
})

const rendered: string[] = []

/** Longer than React renders without a pause. */
const SLOW_MS = 10

function Part({ name }: { name: string }) {
  // Runs before React goes on with the next part.
  if (rendered.length === 0) setImmediate(() => vi.advanceTimersByTime(5_000))
  rendered.push(name)
  for (const began = performance.now(); performance.now() - began < SLOW_MS; );
  return <p>{name}</p>
}

const Clock = () => <time>{useClockText((nowMs) => String(Math.floor(nowMs / 1000)))}</time>

function Page() {
  const [shown, setShown] = useState(false)
  return (
    <>
      <Clock />
      <button type="button" onClick={() => startTransition(() => setShown(true))}>
        Show
      </button>
      {shown ? ['first', 'second', 'third'].map((name) => <Part key={name} name={name} />) : null}
    </>
  )
}

test('a clock does not restart the rendering of a page', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'], now: 0 })
  await renderPage(<Page />)
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  document.querySelector('button')?.click()
  await vi.waitUntil(() => document.querySelectorAll('p').length === 3)
  await vi.waitUntil(() => document.querySelector('time')?.textContent === '5')
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  expect(rendered).toEqual(['first', 'second', 'third'])
})
