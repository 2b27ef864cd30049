// @vitest-environment happy-dom
import { act, type ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RetryButton } from '#components/service/retry-button.tsx'
import { announceSessionBack, holdRefreshes, useAutomaticRefresh } from '#components/service/session-events.ts'
import type { LivingSession, SessionState } from '#lib/session/session-state.ts'
import { closePage, fire, renderPage } from '#lib/testing/render-page.ts'
import { AssignedUnread } from './assigned-cases.tsx'
import { AssignedCasesWatch } from './assigned-cases-watch.tsx'
import { Modal } from './modal.tsx'
import { SessionWatch } from './session-watch.tsx'

const seams = vi.hoisted(() => ({
  push: (_result: unknown) => {},
  pushCases: (_result: unknown) => {},
  refresh: vi.fn(),
}))
vi.mock('next/navigation', () => ({
  usePathname: () => '/',
  useRouter: () => seams,
  useSearchParams: () => new URLSearchParams(),
}))
vi.mock('#components/stream/subscribe.ts', () => ({
  setStreamOwner: () => {},
  subscribe: (topic: string, listen: (result: unknown) => void) => {
    seams[topic === 'own-cases' ? 'pushCases' : 'push'] = listen
    return () => {}
  },
}))

const MINUTE_MS = 60_000
const living = (msLeft: number): LivingSession => ({
  signedIn: true,
  actor: 'sso:1',
  msLeft,
  endsBy: 'idle',
  msSinceActive: 15 * MINUTE_MS - msLeft,
  build: 'one',
})

const push = (value: SessionState) => act(async () => seams.push({ ok: true, value }))
let reports: ((state: LivingSession) => void)[]

const show = (children: ReactNode) =>
  renderPage(
    <SessionWatch initial={living(MINUTE_MS)} idleMs={15 * MINUTE_MS} className="">
      {children}
    </SessionWatch>,
  )

beforeEach(async () => {
  reports = []
  vi.stubGlobal('fetch', (path: string) =>
    path === '/api/session/activity'
      ? new Promise((done) => reports.push((state) => done(Response.json(state))))
      : Promise.resolve(Response.json({ signedIn: false, why: 'ended' })),
  )
  await show(<p>Cases</p>)
})
afterEach(async () => {
  await closePage()
  vi.useRealTimers()
  announceSessionBack()
  holdRefreshes(false)
})

const text = () => document.body.textContent ?? ''

const press = (name: string) =>
  act(async () => [...document.querySelectorAll('button')].find((one) => one.textContent === name)?.click())

async function stay(): Promise<void> {
  await press('Stay signed in')
  await vi.waitFor(() => expect(reports).toHaveLength(1))
}

test('activity takes the warning away', async () => {
  expect(text()).toContain('Your session ends soon')
  await stay()
  await act(async () => reports[0]?.(living(15 * MINUTE_MS)))
  await vi.waitFor(() => expect(text()).toBe('Cases'))
})

test('reports activity within a minute though the clock is set back', async () => {
  vi.useFakeTimers()
  await push(living(15 * MINUTE_MS))
  vi.setSystemTime(Date.now() - 60 * MINUTE_MS)
  const event = new KeyboardEvent('keydown')
  Object.defineProperty(event, 'isTrusted', { value: true })
  window.dispatchEvent(event)
  await act(() => vi.advanceTimersByTimeAsync(MINUTE_MS))
  expect(reports).toHaveLength(1)
})

test('stays signed in at once though the clock is set back', async () => {
  vi.useFakeTimers()
  await push(living(MINUTE_MS))
  vi.setSystemTime(Date.now() - 60 * MINUTE_MS)
  await press('Stay signed in')
  await act(() => vi.advanceTimersByTimeAsync(0))
  expect(reports).toHaveLength(1)
})

test('a late answer to activity uncovers no ended page', async () => {
  await stay()
  await push({ signedIn: false })
  await act(async () => reports[0]?.(living(15 * MINUTE_MS)))
  await act(async () => await new Promise((done) => setTimeout(done, 50)))
  expect(text()).toContain('Your session is over')
})

const later = () => act(async () => await new Promise((done) => setTimeout(done)))

test.each([
  ['a press', () => ['pointerdown', 'click'].map((type) => new MouseEvent(type, { bubbles: true }))],
  ['Esc', () => [new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true })]],
])('%s in a notice closes no dialog', async (_what, events) => {
  const close = vi.fn()
  await show(
    <Modal title="End a session" description="" onClose={close}>
      <input />
    </Modal>,
  )
  // Radix hears presses outside from the next task on.
  await later()
  for (const [place, times] of [
    ['section button', 0],
    ['[data-slot="dialog-overlay"]', 1],
  ] as const) {
    await act(async () => {
      for (const event of events()) document.querySelector(place)?.dispatchEvent(event)
    })
    await later()
    expect(close).toHaveBeenCalledTimes(times)
  }
})

test('covers an open dialog of an ended session', async () => {
  await show(
    <Modal title="End a session" description="" onClose={() => {}}>
      <input />
    </Modal>,
  )
  await push({ signedIn: false })
  expect(document.querySelector('dialog')?.open).toBe(true)
  expect(document.querySelector('dialog')?.textContent).toContain('Your session is over')
})

test('asking for the session keeps the focus of its button', async () => {
  await push({ signedIn: false })
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  const again = [...document.querySelectorAll('button')].find((one) => one.textContent === 'Try again')
  again?.focus()
  await act(async () => again?.click())
  expect([again?.textContent, again?.disabled]).toEqual(['Asking', false])
  expect(document.activeElement).toBe(again)
})

function News() {
  const refresh = useAutomaticRefresh()
  return (
    <button type="button" onClick={refresh}>
      News
    </button>
  )
}

test('a page of an old build offers its reload again, never refreshes', async () => {
  await show(<News />)
  const ofBuild = (build: string) => push({ ...living(15 * MINUTE_MS), build })
  await ofBuild('two')
  await press('Later')
  expect(text()).toBe('News')
  await press('News')
  expect(text()).toContain('A new version of the console is available')
  expect(seams.refresh).not.toHaveBeenCalled()
  await ofBuild('one')
  await press('News')
  expect(seams.refresh).toHaveBeenCalledOnce()
})

test('a session that is back under another build refreshes nothing', async () => {
  await show(<RetryButton />)
  await push({ signedIn: false })
  seams.refresh.mockClear()
  await push({ ...living(15 * MINUTE_MS), build: 'two' })
  expect(seams.refresh).not.toHaveBeenCalled()
})

test('nothing refreshes a page whose session is over', async () => {
  await show(<News />)
  await push({ signedIn: false })
  seams.refresh.mockClear()
  await press('News')
  expect(seams.refresh).not.toHaveBeenCalled()
})

test('an answer does not replace pushed unread counts', async () => {
  const thread = { turn: null, newest: null, lastAt: null, lastBy: null }
  const own = (unread: number) => ({
    cases: [{ id: 'one', reason: null, thread: { ...thread, unread }, openSince: null }],
    more: { assigned: 0, watched: 0 },
    snoozed: 0,
  })
  await show(
    <>
      <AssignedCasesWatch initial={own(1)} notify={false} />
      <AssignedUnread />
    </>,
  )
  const answerWith = async (unread: number) => {
    vi.stubGlobal('fetch', async () => Response.json({ ...living(MINUTE_MS), ownCases: own(unread) }))
    await fire(document, 'visibilitychange')
    return document.querySelector('.own-unread')?.getAttribute('title') ?? ''
  }
  expect(await answerWith(2)).toMatch(/^2 unread/)
  await act(async () => seams.pushCases({ ok: true, value: own(3) }))
  expect(await answerWith(0)).toMatch(/^3 unread/)
})
