// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isUnloadGuarded } from '#components/frame/leave-guard.ts'
import type { CommandView } from '#lib/commands/command.ts'
import { commandView } from '#lib/commands/test-command.ts'
import { registerTitle } from '#lib/terminals/terminal.ts'
import { closePage, fire, renderPage } from '#lib/testing/render-page.ts'
import { MerchantTerminals } from './merchant-terminals.tsx'

const stream = vi.hoisted(() => ({ news: (_result: object) => {} }))
vi.mock('#components/stream/subscribe.ts', () => ({
  subscribe: (_topic: string, onResult: (result: object) => void) => {
    stream.news = onResult
    return () => {}
  },
}))
vi.mock('next/navigation', () => ({
  useRouter: () => ({ refresh: () => {} }),
  usePathname: () => '/terminals',
  useSearchParams: () => new URLSearchParams(),
}))

const SENT: CommandView = commandView(
  { class: 'unknown', checking: '', advice: '' },
  { kind: 'terminal.register', title: registerTitle('m', 'READER-1'), nextReconcileAt: '2026-11-20T09:00:00.000Z' },
)
const field = (name: string) => document.querySelector<HTMLInputElement>(`[name="${name}"]`)

async function type(name: string, text: string): Promise<void> {
  const typed = field(name)
  if (typed !== null) typed.value = text
  await fire(typed, 'input')
}
const registered = () =>
  act(async () => {
    const value = { ...SENT, outcome: { class: 'done', lines: [], steps: [] }, nextReconcileAt: null }
    stream.news({ ok: true, value })
  })

beforeEach(async () => {
  const reading = { kind: 'rows', rows: [] } as const
  await renderPage(<MerchantTerminals merchantId="m" reading={reading} missingScope={null} latest={SENT} />)
})
afterEach(closePage)

test('empties the form once its terminal is registered', async () => {
  await type('terminalUid', 'READER-1')
  await type('label', 'counter-1')
  await registered()
  expect([field('terminalUid')?.value, field('label')?.value]).toEqual(['', ''])
  expect(isUnloadGuarded()).toBe(false)
})

test('keeps the next terminal typed while the first is checked', async () => {
  await type('terminalUid', 'READER-2')
  await type('label', 'counter-2')
  await registered()
  expect([field('terminalUid')?.value, field('label')?.value]).toEqual(['READER-2', 'counter-2'])
  expect(isUnloadGuarded()).toBe(true)
  await type('terminalUid', 'READER-1')
  expect(field('terminalUid')?.value).toBe('READER-1')
})
