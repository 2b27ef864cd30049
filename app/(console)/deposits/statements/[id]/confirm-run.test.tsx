// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { StepUpOutcome } from '#lib/commands/command.ts'
import type { StatementWork } from '#lib/statements/statement-view.ts'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { type ConfirmRun, useConfirmRun, useKeptTitle } from './use-line-acts.ts'

const requests = vi.hoisted(() => ({ startConfirming: vi.fn() }))
vi.mock('../statement-requests.ts', () => requests)
vi.mock('next/navigation', () => ({ useRouter: () => ({ refresh: () => {} }) }))

const NEEDED = { need: 'code' } as StepUpOutcome
const IDLE = { work: null, wantsCode: false, run: 1 } as unknown as StatementWork
const STOPPED = { ...IDLE, wantsCode: true, run: 2 }
let run: ConfirmRun

function Page({ seal, work = IDLE }: { seal: string; work?: StatementWork }) {
  run = useConfirmRun({ id: 's', seal, served: work, work, goOn: NEEDED, onStarted: () => {} })
  return `${run.state.step}: ${useKeptTitle(run.state.step === 'verifying', seal)}`
}
const start = (code: string | null) => act(() => run.start(code))
const seals = () => requests.startConfirming.mock.calls.map(([, seal, code]) => [seal, code])

beforeEach(() => {
  requests.startConfirming.mockReset().mockResolvedValue({ ok: true, value: {} })
})
afterEach(closePage)

test('a code starts the run that was confirmed', async () => {
  requests.startConfirming.mockResolvedValueOnce({ ok: true, value: { wanted: NEEDED } })
  await renderPage(<Page seal="ten lines" />)
  await start(null)
  expect((await renderPage(<Page seal="twelve lines" />)).textContent).toBe('verifying: ten lines')
  await start('123456')
  expect(seals()).toEqual([
    ['ten lines', null],
    ['ten lines', '123456'],
  ])
  await start(null)
  expect(seals().at(-1)).toEqual(['twelve lines', null])
})

test('a code continues a stopped run with the lines that were left', async () => {
  await renderPage(<Page seal="ten lines" />)
  await start(null)
  await renderPage(<Page seal="four lines" work={STOPPED} />)
  await renderPage(<Page seal="six lines" work={STOPPED} />)
  await start('123456')
  expect(seals().at(-1)).toEqual(['four lines', '123456'])
})
