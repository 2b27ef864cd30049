// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { releaseUnloadGuards } from '#components/frame/leave-guard.ts'
import type { CommandReply } from '#lib/commands/command.ts'
import { commandView } from '#lib/commands/test-command.ts'
import { closePage, fire, renderPage } from '#lib/testing/render-page.ts'
import { SharedList } from './shared-list.tsx'

const client = vi.hoisted(() => ({ execute: vi.fn() }))
vi.mock('#components/command/command-client.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  draft: async () => ({ ok: true, draft: { id: 'c', kind: 'snippet.save', immediate: true } }),
  execute: client.execute,
}))
const router = vi.hoisted(() => ({ refresh: vi.fn() }))
vi.mock('next/navigation', () => ({ useRouter: () => router }))

const ENTRY = {
  ...{ id: 'b', name: 'Receipt', text: 'Please send the receipt.', retired: false },
  ...{ changedBy: 'mia@example.com', changedAt: '2026-11-20T09:00:00.000Z' },
}
let answer: (reply: CommandReply) => void

const press = (words: string) =>
  act(async () => [...document.querySelectorAll('button')].find((one) => one.textContent?.startsWith(words))?.click())
const field = (name: string) => document.querySelector<HTMLInputElement>(`[name="${name}"]`)
function type(name: string, text: string): void {
  const typed = field(name)
  if (typed !== null) typed.value = text
}
const done = () =>
  act(async () => {
    answer({ ok: true, command: commandView({ class: 'done', steps: [], lines: [] }) })
  })

beforeEach(async () => {
  client.execute.mockImplementation(() => new Promise((reply) => (answer = reply)))
  await renderPage(<SharedList of="snippets" entries={[ENTRY]} mayChange />)
  await press('Add a snippet')
  type('name', 'Greeting')
  type('text', 'Hello.')
  await fire(document.querySelector('form'), 'submit')
})
afterEach(async () => {
  releaseUnloadGuards()
  await closePage()
})

test('closes the form once its entry is saved', async () => {
  await done()
  expect(field('name')).toBeNull()
})

test('no other form opens while an entry is saved', async () => {
  await press('Cancel')
  await press('Edit')
  expect([document.querySelectorAll('form').length, field('name')?.value]).toEqual([1, 'Greeting'])
  await done()
  await press('Edit')
  expect(field('name')?.value).toBe('Receipt')
})

test('asks before it drops typed text for another form', async () => {
  await done()
  await press('Edit')
  type('name', 'Receipt of the shop')
  await fire(field('name'), 'input')
  const confirm = vi.fn(() => false)
  vi.stubGlobal('confirm', confirm)
  await press('Add a snippet')
  expect([confirm.mock.calls.length, field('name')?.value]).toEqual([1, 'Receipt of the shop'])
  confirm.mockReturnValue(true)
  await press('Add a snippet')
  expect(field('name')?.value).toBe('')
})
