// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import type { CommandView } from '#lib/commands/command.ts'
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
const answers = vi.hoisted((): { execute: object | null } => ({ execute: null }))
const client = vi.hoisted(() => ({ cancel: vi.fn() }))
vi.mock('./command-client.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  settle: () => null,
  execute: () => answers.execute,
  cancel: client.cancel,
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

test('closing the code dialog leaves an approved change', async () => {
  const request = { class: 'approval', reason: 'Large', needed: 0, expiresAt: '2099-01-01T00:00:00.000Z' } as const
  const text = { lines: [], consequence: '', button: 'Confirm', effect: 'ab12' }
  const approved = commandView({ ...request, approvedBy: [] }, { yours: true, approved: text })
  const needsCode = {
    need: 'code',
    title: 'A code is needed',
    advice: '',
    rejected: false,
    triesLeft: 3,
    digits: null,
  } as const
  answers.execute = {
    ok: true,
    command: commandView({ class: 'step-up', lockedSeconds: null, problem: null, ...needsCode }),
  }
  await renderPage(<Page initial={approved} />)
  await act(async () => command.sendApproved(null))
  await act(() => vi.dynamicImportSettled())
  await act(async () => command.confirm(''))
  await act(() => vi.dynamicImportSettled())
  await act(async () => command.verify('123456'))
  expect(command.state).toMatchObject({ step: 'verifying' })
  await act(async () => command.cancel())
  expect(command.state).toMatchObject({ step: 'outcome', command: approved })
  expect(client.cancel).not.toHaveBeenCalled()
})
