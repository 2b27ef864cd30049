// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { WaitingState } from '#lib/commands/command.ts'
import type { TopicResult } from '#lib/stream/stream-event.ts'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { OwnChangesCount, onWaitingChange, WaitingCount, WaitingWatch } from './waiting-watch.tsx'

type Listen = (result: TopicResult<WaitingState>) => void
const seams = vi.hoisted(() => ({ listen: (_result: unknown) => {}, notified: vi.fn() }))
vi.mock('next/navigation', () => ({ useRouter: () => ({ push: () => {} }) }))
vi.mock('#components/stream/subscribe.ts', () => ({
  subscribe: (_topic: string, listen: Listen) => {
    seams.listen = listen as never
    return () => {}
  },
}))

const NOTHING: WaitingState = { toDecide: [], overdue: [], approved: [], endedUnsent: [], attention: 0 }
const arrive = (news: Partial<WaitingState>) =>
  act(async () => seams.listen({ ok: true, value: { ...NOTHING, ...news } }))
const titles = () => seams.notified.mock.calls.map(([title]) => title)

beforeEach(async () => {
  seams.notified.mockReset()
  class Notified {
    static readonly permission = 'granted'
    constructor(title: string) {
      seams.notified(title)
    }
  }
  vi.stubGlobal('Notification', Notified)
  await renderPage(
    <>
      <WaitingWatch notify />
      <p id="home">
        <OwnChangesCount />
      </p>
      <p id="approvals">
        <WaitingCount />
      </p>
    </>,
  )
})
afterEach(async () => {
  await closePage()
  vi.unstubAllGlobals()
})

const countAt = (place: string): readonly (string | undefined | null)[] => {
  const count = document.querySelector(`#${place} span`)
  return [count?.textContent?.replace(/\u00a0/g, ' '), count?.getAttribute('title')]
}

test('each change is in one count of the rail', async () => {
  await arrive({ toDecide: ['a', 'b'], overdue: ['a'], approved: ['c'], attention: 3 })
  expect(countAt('approvals')).toEqual(['2 waiting', '2 changes wait for your decision'])
  expect(countAt('home')).toEqual(['4 to do', '1 change is approved, for you to send; 3 changes need attention'])
  await arrive({ toDecide: ['b'] })
  expect(countAt('approvals')).toEqual(['1 waiting', '1 change waits for your decision'])
  expect(countAt('home')).toEqual([undefined, undefined])
})

test('notifies of a request, and reminds once', async () => {
  await arrive({ toDecide: ['old'], overdue: ['old'] })
  expect(titles()).toEqual([])
  await arrive({ toDecide: ['old', 'new'], overdue: ['old'] })
  await arrive({ toDecide: ['old', 'new'], overdue: ['old', 'new'] })
  expect(titles()).toEqual(['A change waits for your decision', 'A change still waits for your decision'])
})

test('a request that was gone for a moment is not announced again', async () => {
  await arrive({ toDecide: ['old'] })
  await arrive({})
  await arrive({ toDecide: ['old'] })
  expect(titles()).toEqual([])
})

test('notifies once of a request that ended', async () => {
  await arrive({ endedUnsent: ['old'] })
  await arrive({ endedUnsent: ['old', 'new'] })
  await arrive({ endedUnsent: ['new'] })
  expect(titles()).toEqual(['A request of yours has ended'])
})

test('tells a list of changes alone, not of the first state', async () => {
  await arrive({ toDecide: ['a'] })
  const changed = vi.fn()
  const stop = onWaitingChange(changed)
  await arrive({ toDecide: ['a'] })
  expect(changed).not.toHaveBeenCalled()
  await arrive({ toDecide: [] })
  expect(changed).toHaveBeenCalledOnce()
  stop()
})
