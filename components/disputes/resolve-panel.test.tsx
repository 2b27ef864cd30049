// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import type { Command } from '#components/command/command-state.ts'
import { closePage, fire, renderPage } from '#lib/testing/render-page.ts'
import { ResolvePanel } from './resolve-panel.tsx'

vi.mock('#components/service/ask-console.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  askConsole: async () => ({ status: 200, body: { ok: true } }),
}))

afterEach(closePage)

const idle = { state: { step: 'idle' }, faults: {}, heldBy: null } as unknown as Command
const disputed = { fromAccountId: 'ana', toAccountId: 'ben', debit: '5', credit: '5' }

const page = (text = '', command = idle) =>
  renderPage(
    <ResolvePanel
      {...{ disputed, command, of: 'case', verifiedUntil: null, blockedReason: null, policy: null }}
      kept={{ owner: 'me', place: `case-reason:${text}`, text, version: 0, other: null }}
      similar={<p>The earlier decisions</p>}
      onPrepare={() => {}}
    />,
  )
const show = (shown: HTMLElement) => shown.querySelector('[aria-expanded]')

async function type(shown: HTMLElement, text: string): Promise<void> {
  const box = shown.querySelector('textarea')
  if (box !== null) box.value = text
  await fire(box, 'input')
}

test('shows similar decisions only after a reason is written', async () => {
  const shown = await page()
  expect(show(shown)?.getAttribute('aria-disabled')).toBe('true')
  expect(shown.textContent).toContain('Write your reason first.')
  await fire(show(shown), 'click')
  expect(shown.textContent).not.toContain('The earlier decisions')
  await type(shown, 'Nothing was sent.')
  expect(shown.textContent).not.toContain('Write your reason first.')
  await fire(show(shown), 'click')
  expect(shown.textContent).toContain('The earlier decisions')
  await fire(show(shown), 'click')
  await type(shown, ' ')
  await fire(show(shown), 'click')
  expect(shown.textContent).not.toContain('The earlier decisions')
})

test('takes a saved reason for a written one', async () => {
  const shown = await page('Nothing was sent.')
  await fire(show(shown), 'click')
  expect(shown.textContent).toContain('The earlier decisions')
})

test('leads to the change that it waits for', async () => {
  const faults = { caseId: 'This waits for approval already.' }
  const shown = await page('Nothing was sent.', { ...idle, faults, heldBy: 'c1' })
  expect(shown.querySelector('a[href="/activity/c1"]')?.textContent).toBe('Open the earlier change')
  expect((await page('', { ...idle, faults })).querySelector('a[href^="/activity/"]')).toBeNull()
})
