// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
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
vi.mock('./command-client.ts', async (importOriginal) => ({ ...(await importOriginal<object>()), settle: () => null }))

const OPEN = commandView(ACCEPTED, { settledByHand: true })
let command: Command

function Page() {
  command = useCommand(OPEN, () => {})
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
