// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isUnloadGuarded } from '#components/frame/leave-guard.ts'
import type { CommandReply, CommandView } from '#lib/commands/command.ts'
import { refusedUnsent } from '#lib/commands/command.ts'
import { commandView } from '#lib/commands/test-command.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { TopicResult } from '#lib/stream/stream-event.ts'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { ApprovalDecision } from './approval-decision.tsx'

type Listen = (result: TopicResult<CommandView>) => void
const seams = vi.hoisted(() => ({ decide: vi.fn(), listen: vi.fn(), push: vi.fn(), refresh: vi.fn(), path: '/' }))
vi.mock('next/navigation', () => ({
  useRouter: () => ({ refresh: seams.refresh, push: seams.push }),
  usePathname: () => seams.path,
}))
vi.mock('#components/stream/subscribe.ts', () => ({
  subscribe: (_topic: string, listen: Listen) => {
    seams.listen.mockImplementation(listen)
    return () => {}
  },
}))
vi.mock('#components/command/command-client.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  decide: seams.decide,
}))

const WAITS = commandView({
  ...{ class: 'approval', reason: 'Large', needed: 2, approvedBy: [] },
  ...{ askedAt: '2026-11-21T02:00:00.000Z', expiresAt: '2026-11-21T10:00:00.000Z' },
})
const pageOf = (whyNot: string | null) => (
  <ApprovalDecision command={WAITS} effect="ab12" whyNot={whyNot} passkey="not-needed" factsMark={null} />
)

let decided: PromiseWithResolvers<CommandReply | null>

beforeEach(async () => {
  decided = Promise.withResolvers()
  seams.decide.mockReset().mockReturnValue(decided.promise)
  await renderPage(pageOf(null))
})
afterEach(closePage)

const named = (name: string) =>
  [...document.querySelectorAll('button')].find(({ textContent }) => textContent?.startsWith(name)) ?? null

const press = async (name: string) => {
  const button = named(name)
  button?.focus()
  await act(async () => document.querySelector('form')?.requestSubmit(button))
  return button
}

test.each([
  ['/', ['Reason', 'Requested', 'Approvals', 'Expires']],
  [`/approvals/${WAITS.id}`, ['Approvals']],
])('on %s, repeats nothing of the request', async (path, labels) => {
  seams.path = path
  await renderPage(pageOf('You have already decided.'))
  await act(() => import('#components/command/approval.tsx'))
  const shown = [...document.querySelectorAll('section dt')].map(({ textContent }) => textContent)
  expect(shown).toEqual([...labels, 'About', 'By'])
})

test('keeps the focus while a decision is recorded, once', async () => {
  const approve = await press('Approve')
  await press('Approve')
  expect([approve?.disabled, document.activeElement === approve]).toEqual([false, true])
  expect(seams.decide).toHaveBeenCalledOnce()
})

test('moves the focus to the outcome of the decision', async () => {
  await press('Approve')
  await act(async () => seams.listen({ ok: true, value: commandView(refusedUnsent('Declined by Ana', '')) }))
  expect(document.activeElement?.tagName).toBe('SECTION')
  expect(document.activeElement?.textContent).toContain('Declined by Ana')
})

test.each([
  ['keeps the page when the session has ended', 'session-over', 401, 0],
  ['keeps the page when the console failed', 'console', 503, 0],
  ['reads the page again when the decision is refused', 'service', 409, 1],
] as const)('%s', async (_what, kind, status, refreshes) => {
  seams.refresh.mockReset()
  await press('Approve')
  await act(async () => decided.resolve({ ok: false, problem: problemOf(kind, { status }) }))
  expect(seams.refresh).toHaveBeenCalledTimes(refreshes)
  expect(document.querySelector('form [role="alert"]')?.textContent).not.toBe('')
})

test('asks before the reason is lost, until it is recorded', async () => {
  const reason = document.querySelector<HTMLInputElement>('[name="reason"]')
  if (reason !== null) reason.value = 'Not ours'
  await press('Decline')
  expect(isUnloadGuarded()).toBe(true)
  await act(async () => decided.resolve({ ok: true, command: WAITS }))
  expect(isUnloadGuarded()).toBe(false)
})

test('moves the focus to the panel when others must decide', async () => {
  await press('Approve')
  await act(async () => decided.resolve({ ok: true, command: WAITS }))
  await renderPage(pageOf('You approved this.'))
  expect(document.activeElement?.textContent).toContain('Waiting for approval')
})

test('leaves the focus alone on arrival', async () => {
  await closePage()
  await renderPage(pageOf('You made this.'))
  expect(document.activeElement).toBe(document.body)
})

async function pressKey(key: string, on: EventTarget = document): Promise<KeyboardEvent> {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
  await act(async () => void on.dispatchEvent(event))
  return event
}

test('reaches Approve and the reason by key, and decides nothing', async () => {
  await pressKey('a')
  expect(document.activeElement).toBe(named('Approve'))
  await pressKey('d')
  expect(document.activeElement?.getAttribute('name')).toBe('reason')
  expect(seams.decide).not.toHaveBeenCalled()
})

test('Enter in the reason leads to Decline, and approves nothing', async () => {
  const reason = document.querySelector<HTMLInputElement>('[name="reason"]')
  reason?.focus()
  // A browser would press the first button of the form.
  expect((await pressKey('Enter', reason ?? document)).defaultPrevented).toBe(true)
  expect(document.activeElement).toBe(named('Decline'))
  expect(seams.decide).not.toHaveBeenCalled()
})

test('leads to the next request after a decision, by link and key', async () => {
  const next = { request: { id: 'c-2', title: 'Confirm deposit', waiting: 2 }, query: '?kind=deposit.confirm' }
  await renderPage(
    <ApprovalDecision
      command={WAITS}
      effect="ab12"
      whyNot="You have already decided."
      passkey="not-needed"
      factsMark={null}
      next={next}
    />,
  )
  const link = document.querySelector('[aria-keyshortcuts="n"]')
  expect([link?.textContent, link?.getAttribute('href')]).toEqual([
    'Next: Confirm deposit' + 'n',
    '/approvals/c-2?kind=deposit.confirm',
  ])
  await pressKey('n')
  expect(seams.push).toHaveBeenCalledWith('/approvals/c-2?kind=deposit.confirm')
})

test('says when nothing else waits', async () => {
  const next = { request: null, query: '' }
  await renderPage(
    <ApprovalDecision
      command={WAITS}
      effect="ab12"
      whyNot="You have already decided."
      passkey="not-needed"
      factsMark={null}
      next={next}
    />,
  )
  expect(document.body.textContent).toContain('Nothing else waits for your decision.')
  expect(document.querySelector('[aria-keyshortcuts="n"]')?.getAttribute('href')).toBe('/approvals')
})

test('keeps the page when no answer came', async () => {
  seams.refresh.mockReset()
  const reason = document.querySelector<HTMLInputElement>('[name="reason"]')
  if (reason !== null) reason.value = 'Not ours'
  await press('Decline')
  await act(async () => decided.resolve(null))
  expect(document.querySelector('form')?.textContent).toContain('It is not known whether it was recorded')
  expect([reason?.value, seams.refresh.mock.calls]).toEqual(['Not ours', []])
})
