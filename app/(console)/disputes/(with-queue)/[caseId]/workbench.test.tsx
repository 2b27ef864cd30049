// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { CommandOutcome } from '#components/command/command-outcome.tsx'
import type { Command, CommandState } from '#components/command/command-state.ts'
import { type CommandView, type DraftView, type Outcome, refusedUnsent } from '#lib/commands/command.ts'
import { commandView } from '#lib/commands/test-command.ts'
import type { ThreadCase, ThreadMessage } from '#lib/disputes/thread/thread.ts'
import { closePage, fire, renderPage } from '#lib/testing/render-page.ts'
import { latestSeen, shownAtFirst, useFocusAtTheEnd, useNextCase, useOvertaken } from './workbench.tsx'

const next = vi.hoisted(() => ({ push: vi.fn(), find: vi.fn() }))
vi.mock('next/navigation', () => ({ useRouter: () => next }))
vi.mock('./next-case.ts', () => ({ nextCaseOf: next.find }))

const REFUSED = refusedUnsent('Refused', '')
const UNKNOWN: Outcome = { class: 'unknown', checking: '', advice: '' }
const DONE: Outcome = { class: 'done', lines: [], steps: [] }

describe('shownAtFirst', () => {
  test.each<[string, CommandView, boolean]>([
    ['a colleague’s refusal', commandView(REFUSED), false],
    ['one’s own refusal', commandView(REFUSED, { yours: true }), true],
    ['a refusal that keeps a lock', commandView(REFUSED, { keeps: 'the bank’s reference' }), true],
    ['a dismissible refusal', commandView(REFUSED, { dismissible: true }), true],
    ['an unknown outcome of a colleague', commandView(UNKNOWN), true],
    ['a success', commandView(DONE, { yours: true }), false],
  ])('%s', (_what, command, isShown) => {
    expect(shownAtFirst(command)).toBe(isShown ? command : null)
  })
})

const cancel = vi.fn()
const APPROVED = { ...commandView(UNKNOWN), id: 'c' }

const Case = ({ state, readOnly }: { state: CommandState; readOnly: boolean }) =>
  useOvertaken({ state, cancel } as unknown as Command, readOnly) ? 'overtaken' : 'open'

afterEach(closePage)

describe('useOvertaken', () => {
  const confirming = (sending: boolean): CommandState => ({ step: 'confirming', draft: {} as DraftView, sending })
  const shown = async (state: CommandState, readOnly: boolean) =>
    (await renderPage(<Case state={state} readOnly={readOnly} />)).textContent

  test('closes a dialog whose case is resolved elsewhere', async () => {
    cancel.mockReset()
    expect(await shown(confirming(false), false)).toBe('open')
    expect(cancel).not.toHaveBeenCalled()
    expect(await shown(confirming(false), true)).toBe('overtaken')
    expect(await shown({ step: 'idle' }, true)).toBe('overtaken')
    expect(cancel).toHaveBeenCalledOnce()
  })

  test.each<[string, CommandState]>([
    ['a decision being sent', confirming(true)],
    ['an approved decision', { step: 'confirming', draft: { id: 'c' } as DraftView, sending: false, before: APPROVED }],
    ['no dialog', { step: 'idle' }],
  ])('leaves %s as it is', async (_what, state) => {
    cancel.mockReset()
    expect(await shown(state, true)).toBe('open')
    expect(cancel).not.toHaveBeenCalled()
  })
})

function Resolving({ command }: { command: Command }) {
  const { also, words } = useNextCase({ found: { id: 'a' } as ThreadCase, userId: null, command })
  return (
    <button type="button" onClick={() => also.onChoose(true)}>
      {words}
    </button>
  )
}

test.each([
  ['opens the next case after a decision', true],
  ['opens no case once the page was left', false],
])('%s', async (_what, isHere) => {
  next.push.mockReset()
  let found = (_case: object) => {}
  next.find.mockReset().mockReturnValueOnce(new Promise((done) => (found = done)))
  const resolving = (state: CommandState) => renderPage(<Resolving command={{ state } as Command} />)
  const page = await resolving({ step: 'confirming', draft: {} as DraftView, sending: true })
  await fire(page.querySelector('button'), 'click')
  await resolving({ step: 'outcome', command: commandView(DONE), once: null, notice: null })
  await vi.waitFor(() => expect(next.find).toHaveBeenCalled())
  if (!isHere) await renderPage(null)
  await act(async () => found({ caseId: 'b', chosen: null }))
  expect(next.push).toHaveBeenCalledTimes(isHere ? 1 : 0)
})

function Closing({ asking }: { asking: boolean }) {
  const showEnd = useFocusAtTheEnd(true, asking)
  return (
    <main id="main" tabIndex={-1}>
      <section ref={showEnd} tabIndex={-1} />
    </main>
  )
}

const message = (id: string, senderUserId: string): ThreadMessage => ({
  ...{ id, senderUserId, body: id },
  ...{ isSystemMessage: false, createdAt: `2026-11-20T10:00:0${id}.0000000Z` },
})

const [first, second, own] = [message('1', 'ana'), message('2', 'ben'), message('3', 'me')]

test('a new message has to be in view before a decision', () => {
  const seen = (
    initial: readonly ThreadMessage[],
    passed: ThreadMessage | null,
    ...messages: readonly ThreadMessage[]
  ) => latestSeen(messages, { initial, passed, me: 'me' })
  expect(seen([first], null, first)).toBe('1')
  expect(seen([first], first, first, second, own)).toBe('1')
  expect(seen([first], second, first, second, own)).toBe('3')
  expect(seen([first], null, first, own)).toBe('3')
  expect(seen([], null, first)).toBe('')
  expect(seen([], null)).toBe('')
})

test('the resolution takes the focus from the main part', async () => {
  const page = await renderPage(<Closing asking />)
  page.querySelector<HTMLElement>('#main')?.focus()
  await renderPage(<Closing asking={false} />)
  await vi.waitFor(() => expect(document.activeElement).toBe(page.querySelector('section')))
})

test('a dismissed outcome leaves the focus in its pane', async () => {
  const clear = vi.fn()
  const state = { step: 'outcome', command: commandView(REFUSED), once: null, notice: null }
  const page = await renderPage(
    <aside tabIndex={-1}>
      <CommandOutcome command={{ state, inFlight: null, answers: 0 } as unknown as Command} onDismiss={clear} />
    </aside>,
  )
  await fire(page.querySelector('[aria-label="Dismiss"]'), 'click')
  expect(clear).toHaveBeenCalledOnce()
  expect(document.activeElement).toBe(page.querySelector('aside'))
})
