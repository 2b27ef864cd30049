// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isUnloadGuarded } from '#components/frame/leave-guard.ts'
import type { CommandReply, DraftReply, DraftView } from '#lib/commands/command.ts'
import { refusedUnsent } from '#lib/commands/command.ts'
import { commandView } from '#lib/commands/test-command.ts'
import { closePage, fire, renderPage } from '#lib/testing/render-page.ts'
import { TerminalActions } from './terminal-actions.tsx'

const client = vi.hoisted(() => ({ draft: vi.fn(), execute: vi.fn(), cancel: vi.fn() }))
vi.mock('next/navigation', () => ({ useRouter: () => ({ refresh: () => {} }) }))
vi.mock('#components/command/command-client.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  ...client,
}))

const DRAFT: DraftView = {
  ...{ id: 'c', kind: 'terminal.disable', title: 'Disable terminal counter-2', lines: [], consequence: 'Permanent.' },
  ...{ button: 'Disable terminal counter-2', expiresAt: '2026-11-20T10:10:00.000Z', immediate: false, warning: null },
  ...{ proof: null, effect: 'ab12', limits: [], approval: null, passkey: false },
}

const named = (name: string) =>
  [...document.querySelectorAll('button')].find(({ textContent }) => textContent?.startsWith(name)) ?? null
const settled = () => act(() => vi.dynamicImportSettled())

const show = (blockedReason: string | null) =>
  renderPage(
    <main id="main" tabIndex={-1}>
      <TerminalActions terminalId="t" name="counter-2" blockedReason={blockedReason} missingScope={null} latest={null}>
        {null}
      </TerminalActions>
    </main>,
  )

let opener: HTMLButtonElement | null
let drafted: PromiseWithResolvers<DraftReply>
let executed: PromiseWithResolvers<CommandReply>

beforeEach(async () => {
  drafted = Promise.withResolvers()
  executed = Promise.withResolvers()
  client.draft.mockReturnValue(drafted.promise)
  client.execute.mockReturnValue(executed.promise)
  await show(null)
  const reason = document.querySelector('input')
  if (reason !== null) reason.value = 'Stolen'
  opener = named('Disable')
  opener?.focus()
  await fire(document.querySelector('form'), 'submit')
})
afterEach(closePage)

const openDialog = async () => {
  await act(async () => drafted.resolve({ ok: true, draft: DRAFT }))
  await settled()
}

test('asks before the typed reason is lost', () => {
  expect(isUnloadGuarded()).toBe(true)
})

test('keeps the focus of the button while the change is checked', async () => {
  expect(opener?.textContent).toBe('Checking')
  expect([opener?.disabled, opener?.getAttribute('aria-disabled')]).toEqual([false, 'true'])
  await fire(document.querySelector('form'), 'submit')
  expect(client.draft).toHaveBeenCalledOnce()
})

test('gives the focus back when the dialog is cancelled', async () => {
  await openDialog()
  expect(document.activeElement?.closest('[role="dialog"]')).not.toBeNull()
  await fire(named('Cancel'), 'click')
  expect(document.querySelector('[role="dialog"]')).toBeNull()
  await vi.waitFor(() => expect(document.activeElement).toBe(opener))
})

test('gives the focus to the page when the button is gone', async () => {
  await openDialog()
  await show('It is disabled.')
  await fire(named('Cancel'), 'click')
  await vi.waitFor(() => expect(document.activeElement?.id).toBe('main'))
})

test('keeps every button of the dialog focusable while sending', async () => {
  await openDialog()
  const form = document.querySelector('[role="dialog"] form')
  await fire(form, 'submit')
  expect([named('Sending')?.disabled, named('Cancel')?.disabled]).toEqual([false, false])
  await fire(named('Cancel'), 'click')
  expect([client.cancel.mock.calls.length, document.querySelector('[role="dialog"]') === null]).toEqual([0, false])
  await act(async () => executed.resolve({ ok: true, command: commandView(refusedUnsent('Too late', '')) }))
  await vi.waitFor(() => expect(document.activeElement?.textContent).toContain('Too late'))
})

test('shows how long the change is being sent', async () => {
  await openDialog()
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
  await fire(document.querySelector('[role="dialog"] form'), 'submit')
  await act(async () => void vi.advanceTimersByTime(5_000))
  expect(document.querySelector('[role="dialog"]')?.textContent).toMatch(/Sending for [45] s\./)
  vi.useRealTimers()
})
