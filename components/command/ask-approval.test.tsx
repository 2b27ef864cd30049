// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isUnloadGuarded } from '#components/frame/leave-guard.ts'
import type { CommandReply, CommandView, DraftReply, DraftView } from '#lib/commands/command.ts'
import { commandView } from '#lib/commands/test-command.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { closePage, fire, renderPage } from '#lib/testing/render-page.ts'
import { CommandDialogs } from './command-dialogs.tsx'
import { CommandOutcome } from './command-outcome.tsx'
import { useCommand } from './use-command.ts'

const DRAFT: DraftView = {
  ...{ id: 'c', kind: 'card.issue', title: 'Issue a card', lines: [], consequence: '', button: 'Issue', proof: null },
  ...{ expiresAt: '2026-11-20T10:10:00.000Z', immediate: false, warning: null, effect: 'ab12', limits: [] },
  ...{ passkey: false },
  approval: { need: 'It needs one approval.', rules: [], shortage: null, amount: null, hours: 8 },
}
const client = vi.hoisted(() => ({ ask: vi.fn(), read: vi.fn() }))
vi.mock('./command-client.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  draft: async (): Promise<DraftReply> => ({ ok: true, draft: DRAFT }),
  askApproval: client.ask,
  readCommand: client.read,
}))

vi.mock('#components/stream/subscribe.ts', () => ({ subscribe: () => () => {} }))

function Page() {
  const command = useCommand(null, () => {})
  return (
    <>
      <button type="button" onClick={() => command.prepare('card.issue', {})}>
        Start
      </button>
      <CommandOutcome command={command} />
      <CommandDialogs command={command} />
    </>
  )
}

const reason = () => document.querySelector<HTMLInputElement>('[name="reason"]')

async function ask(reply: CommandReply): Promise<void> {
  client.ask.mockResolvedValueOnce(reply)
  await fire(reason()?.form ?? null, 'submit')
}

beforeEach(async () => {
  await renderPage(<Page />)
  await act(async () => document.querySelector('button')?.click())
  await act(() => vi.dynamicImportSettled())
  const field = reason()
  if (field !== null) field.value = 'The holder waits at the counter.'
  await fire(field, 'input')
})
afterEach(closePage)

test.each([
  [
    'the console cannot write',
    problemOf('console', { status: 503, title: 'The journal is out' }),
    'The journal is out',
  ],
  ['the session has ended', problemOf('session-over', { status: 401 }), 'Your session has ended'],
])('keeps the reason when %s', async (_what, problem, words) => {
  await ask({ ok: false, problem })
  expect(reason()?.value).toBe('The holder waits at the counter.')
  expect(document.querySelector('[role="dialog"]')?.textContent).toContain(words)
  expect(isUnloadGuarded()).toBe(true)
  await ask({ ok: true, command: commandView({ class: 'cancelled', title: '' }) })
  expect(client.ask).toHaveBeenLastCalledWith('c', { reason: 'The holder waits at the counter.', proof: '' })
  expect([reason(), isUnloadGuarded()]).toEqual([null, false])
})

test('keeps the reason when the answer is lost', async () => {
  client.ask.mockResolvedValueOnce(null)
  client.read.mockResolvedValueOnce({ ok: true, command: commandView({ class: 'prepared' }) })
  await fire(reason()?.form ?? null, 'submit')
  await act(async () => {})
  expect([reason()?.value, isUnloadGuarded()]).toEqual(['The holder waits at the counter.', true])
  expect(document.querySelector('[role="dialog"]')?.textContent).toContain('cannot be reached')
})

const Shown = ({ latest }: { latest: CommandView | null }) => <>{useCommand(latest, () => {}).state.step}</>

test('shows a change under way that a refreshed page brings', async () => {
  const shown = async (latest: CommandView | null) => (await renderPage(<Shown latest={latest} />)).textContent
  await renderPage(null)
  expect(await shown(null)).toBe('idle')
  expect(await shown(commandView({ class: 'cancelled', title: '' }))).toBe('idle')
  expect(await shown({ ...commandView({ class: 'unknown', checking: '', advice: '' }), id: 'other' })).toBe('outcome')
})
