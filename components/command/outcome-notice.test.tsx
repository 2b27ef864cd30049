// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { CommandView, StepUpOutcome } from '#lib/commands/command.ts'
import { ACCEPTED, commandView } from '#lib/commands/test-command.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import type { Command } from './command-state.ts'
import { useCommand } from './use-command.ts'

const stream = vi.hoisted(() => ({ news: (_result: object) => {} }))
vi.mock('#components/stream/subscribe.ts', () => ({
  subscribe: (_topic: string, onResult: (result: object) => void) => {
    stream.news = onResult
    return () => {}
  },
}))
const answers = vi.hoisted(
  (): Record<'execute' | 'read' | 'draft', object | null> => ({ execute: null, read: null, draft: null }),
)
const cancel = vi.hoisted(() => vi.fn(async () => null))
const withdraw = vi.hoisted(() => vi.fn(async () => null))
vi.mock('./command-client.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  settle: () => null,
  execute: () => answers.execute,
  readCommand: () => answers.read,
  draftAgain: () => answers.draft,
  withdrawUnanswered: withdraw,
  cancel,
}))

const OPEN = commandView(ACCEPTED, { settledByHand: true })
let command: Command

function Page({ initial = OPEN }: { initial?: CommandView }) {
  command = useCommand(initial, () => {})
  return command.state.step === 'outcome' ? command.state.notice : null
}

afterEach(closePage)

test('says that a recording is not known until the outcome changes', async () => {
  const page = await renderPage(<Page />)
  await act(async () => command.settle(true, 'The bank says so.'))
  const DOUBT = 'It is not known whether this was recorded.'
  expect(page.textContent).toContain(DOUBT)
  await act(async () => stream.news({ ok: false, problem: problemOf('console-unreachable') }))
  expect(page.textContent).toContain(DOUBT)
  await act(async () => stream.news({ ok: true, value: { ...OPEN, settledByHand: true } }))
  expect(page.textContent).toContain(DOUBT)
  const value = commandView({ class: 'done', lines: [], steps: [] })
  await act(async () => stream.news({ ok: true, value }))
  expect(page.textContent).toBe('')
})

test('keeps a number that shows when the outcome changes', async () => {
  const unknown = commandView({ class: 'unknown', checking: '', advice: '' })
  const once = { what: 'card-number', cardNumber: '4000000000000002' }
  answers.execute = { ok: true, command: unknown, once }
  await renderPage(<Page initial={unknown} />)
  await act(async () => command.verify(null))
  expect(command.state).toMatchObject({ once })
  await act(async () => stream.news({ ok: true, value: commandView({ class: 'done', lines: [], steps: [] }) }))
  expect(command.state).toMatchObject({ once, command: { outcome: { class: 'done' } } })
  await act(async () => command.forget())
  expect(command.state).toMatchObject({ once: null })
})

test('forgets what was said of approvers once someone approves', async () => {
  const request = { class: 'approval', reason: 'Large', needed: 1, expiresAt: '2099-01-01T00:00:00.000Z' } as const
  const waiting = commandView({ ...request, approvedBy: [] })
  const page = await renderPage(<Page initial={waiting} />)
  await act(async () => command.settle(true, 'The bank says so.'))
  await act(async () => stream.news({ ok: true, value: waiting }))
  expect(page.textContent).not.toBe('')
  const approvedBy = [{ name: 'Mia', at: '2026-11-20T10:00:00.000Z', reason: '' }]
  await act(async () => stream.news({ ok: true, value: commandView({ ...request, approvedBy }) }))
  expect(page.textContent).toBe('')
})

test.each([
  ['is refused', { ok: false, fields: {}, problem: problemOf('console', { status: 503, title: 'Busy' }) }],
  ['gets no answer', null],
])('stays when checking it again %s', async (_what, reply) => {
  answers.draft = reply
  const failed = commandView({ class: 'failed' } as CommandView['outcome'])
  const page = await renderPage(<Page initial={failed} />)
  await act(async () => command.askAgain())
  expect(command.state).toMatchObject({ step: 'outcome', command: failed })
  expect(page.textContent).not.toBe('')
  expect(page.textContent).not.toContain('not known whether')
})

test('an outcome put away stays away without an answer', async () => {
  let answer: (reply: null) => void = () => {}
  answers.read = new Promise((done) => (answer = done))
  await renderPage(<Page />)
  await act(async () => command.reconcileNow())
  await act(async () => command.clear())
  await act(async () => answer(null))
  expect(command.state.step).toBe('idle')
})

describe('an approved change', () => {
  const STEP_UP: StepUpOutcome = {
    ...{ class: 'step-up', need: 'code', title: '', advice: '', rejected: false, triesLeft: 3 },
    ...{ lockedSeconds: null, digits: 6, problem: null },
  }
  const approvedBy = [{ name: 'Mia', at: '2026-11-20T10:00:00.000Z', reason: '' }]
  const APPROVED = commandView(
    { class: 'approval', reason: 'Large', needed: 1, expiresAt: '2099-01-01T00:00:00.000Z', approvedBy },
    { yours: true, approved: { lines: [], consequence: '', button: 'Confirm', effect: '' } },
  )
  const CHALLENGED = commandView(STEP_UP, { yours: true })

  test('keeps its approvals when sending gets no answer', async () => {
    const page = await renderPage(<Page initial={APPROVED} />)
    await act(async () => command.sendApproved(null))
    await act(() => vi.dynamicImportSettled())
    Object.assign(answers, { execute: null, read: { ok: true, command: APPROVED } })
    await act(async () => command.confirm(''))
    expect(command.state).toMatchObject({ step: 'outcome', command: APPROVED })
    expect(page.textContent).toContain('not known whether this was sent')
    expect(withdraw).not.toHaveBeenCalled()
  })

  test.each([
    ['confirmed', () => command.sendApproved(null), () => command.confirm('')],
    ['continued', () => {}, () => command.verify(null)],
  ])('stays when the console refuses the request: %s', async (_how, open, send) => {
    answers.execute = { ok: false, problem: problemOf('console', { status: 503, title: 'The console is stopping' }) }
    const page = await renderPage(<Page initial={APPROVED} />)
    await act(async () => open())
    await act(() => vi.dynamicImportSettled())
    await act(async () => send())
    expect(command.state).toMatchObject({ step: 'outcome', command: APPROVED })
    expect(page.textContent).toContain('The console is stopping.')
  })

  test.each([
    ['sent', APPROVED, () => command.sendApproved(null), () => command.confirm('')],
    ['continued after a reload', CHALLENGED, () => {}, () => command.verify(null)],
  ])('stays when the dialog of its code closes: %s', async (_how, shown, open, send) => {
    answers.execute = { ok: true, command: CHALLENGED }
    await renderPage(<Page initial={shown} />)
    await act(async () => open())
    await act(() => vi.dynamicImportSettled())
    await act(async () => send())
    await act(() => vi.dynamicImportSettled())
    await act(async () => command.verify('000000'))
    expect(command.state).toMatchObject({ step: 'verifying' })
    await act(async () => command.cancel())
    expect(command.state).toMatchObject({ step: 'outcome', command: shown })
    expect(cancel).not.toHaveBeenCalled()
    await act(async () => command.cancel())
    expect(cancel).toHaveBeenCalledWith(shown.id)
    cancel.mockClear()
  })
})
