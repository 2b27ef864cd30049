// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { StepUpOutcome } from '#lib/commands/command.ts'
import type { LineView, StatementWork } from '#lib/statements/statement-view.ts'
import { closePage, pressEsc, renderPage } from '#lib/testing/render-page.ts'
import { StatementLines } from './statement-lines.tsx'
import { type ConfirmRun, useConfirmRun } from './use-line-acts.ts'

const requests = vi.hoisted(() => ({ startConfirming: vi.fn() }))
vi.mock('../statement-requests.ts', () => requests)
vi.mock('next/navigation', () => ({
  usePathname: () => '/deposits/statements/s',
  useSearchParams: () => new URLSearchParams(),
  useRouter: () => ({ refresh: () => {} }),
}))
vi.mock('#components/stream/subscribe.ts', () => ({ subscribe: () => () => {} }))

const NEEDED = { need: 'code' } as StepUpOutcome
const IDLE = { work: null, ended: '', wantsCode: false, run: 1, summary: null } as unknown as StatementWork
const RUNS: StatementWork = { ...IDLE, work: 'confirm', run: 2 }
const STOPPED = { ...IDLE, wantsCode: true, run: 2 }
let run: ConfirmRun

const readyWith = (seal: string, count = 10) => ({ seal, count, sum: `${count}00`, apart: 0, edited: [] })

function Page({ seal, work = IDLE }: { seal: string; work?: StatementWork }) {
  const ready = { ...readyWith(seal), byHand: 0, limits: [] }
  run = useConfirmRun({ id: 's', ready, served: work, work, goOn: NEEDED, onStarted: () => {} })
  return `${run.state.step}: ${run.state.step === 'idle' ? '' : run.state.ready.seal}`
}
const open = () => act(async () => run.open())
const start = (code: string | null) => act(() => run.start(code))
const seals = () => requests.startConfirming.mock.calls.map(([, seal, code]) => [seal, code])

beforeEach(() => {
  requests.startConfirming.mockReset().mockResolvedValue({ ok: true, value: {} })
})
afterEach(async () => {
  await closePage()
  document.body.replaceChildren()
})

test('a code starts the run that was confirmed', async () => {
  requests.startConfirming.mockResolvedValueOnce({ ok: true, value: { wanted: NEEDED } })
  await renderPage(<Page seal="ten lines" />)
  await open()
  await start(null)
  expect((await renderPage(<Page seal="twelve lines" />)).textContent).toBe('verifying: ten lines')
  await start('123456')
  expect(seals()).toEqual([
    ['ten lines', null],
    ['ten lines', '123456'],
  ])
  await open()
  await start(null)
  expect(seals().at(-1)).toEqual(['twelve lines', null])
})

test('a code continues a stopped run with the lines that were left', async () => {
  await renderPage(<Page seal="ten lines" />)
  await open()
  await start(null)
  await renderPage(<Page seal="four lines" work={STOPPED} />)
  await renderPage(<Page seal="six lines" work={STOPPED} />)
  await start('123456')
  expect(seals().at(-1)).toEqual(['four lines', '123456'])
})

test('asks a colleague of the operator for no code', async () => {
  await renderPage(<Page seal="ten lines" work={RUNS} />)
  expect((await renderPage(<Page seal="four lines" work={STOPPED} />)).textContent).toBe('idle: ')
})

test('asks for no code after a later run of a colleague', async () => {
  await renderPage(<Page seal="ten lines" />)
  await open()
  await start(null)
  await renderPage(<Page seal="four lines" work={{ ...IDLE, run: 2 }} />)
  await renderPage(<Page seal="four lines" work={{ ...RUNS, run: 3 }} />)
  const page = await renderPage(<Page seal="two lines" work={{ ...STOPPED, run: 3 }} />)
  expect(page.textContent).toBe('idle: ')
})

test('asks for the code once nothing is being typed', async () => {
  await renderPage(<Page seal="ten lines" />)
  const field = document.body.appendChild(document.createElement('input'))
  await open()
  await start(null)
  field.focus()
  expect((await renderPage(<Page seal="four lines" work={STOPPED} />)).textContent).toBe('idle: ')
  field.blur()
  const page = await renderPage(<Page seal="four lines" work={{ ...STOPPED }} />)
  expect(page.textContent).toBe('verifying: four lines')
})

const line = (number: number) =>
  ({
    ...{ statementId: 's', number, place: number + 1, sought: 'DEP', soughtFrom: 'field', suggestions: [] },
    ...{ amount: '1', currency: 'BZD', bookedOn: '', payerName: '', text: '', bankReference: 'A', bankFrom: 'field' },
    ...{ status: 'set-aside', setAside: { reason: 'Not ours.', by: 'ana' }, hold: null, found: null, lookedAt: null },
    ...{ confirmation: null, problem: null, note: null, outcome: null, commandId: null, edited: null, seen: null },
    ...{ sameReference: null, sameBankReference: null },
  }) as unknown as LineView

async function showLines(
  lines: readonly LineView[],
  ready: ReturnType<typeof readyWith>,
  work = IDLE,
): Promise<HTMLElement> {
  const statement = { id: 's', fileName: 'may.xml', work, goOn: null, counts: {}, found: 0, limits: [] }
  const reader = { reader: 'olga', mayDiscard: false, arrived: false }
  return await renderPage(
    <StatementLines {...statement} {...reader} lines={lines} ready={ready} total={lines.length} />,
  )
}
const buttons = (page: HTMLElement, words: RegExp) =>
  [...page.querySelectorAll('button')].filter(({ textContent }) => words.test(textContent))

test('keeps focus on its line when an earlier one goes', async () => {
  const page = await showLines([line(1), line(2)], readyWith('none', 0))
  const putBack = buttons(page, /Put back/)[1]
  await act(async () => putBack?.focus())
  await showLines([line(2)], readyWith('none', 0))
  expect(document.activeElement).toBe(putBack)
  expect(putBack?.dataset.nextStep).toBe('line-2')
})

test('a file of debits alone has nothing to look up', async () => {
  const page = await showLines([], readyWith('none', 0))
  expect(buttons(page, /Look up/)).toEqual([])
  expect(page.textContent).toContain('The file has no incoming payments.')
})

test('Esc does not close a confirmation that is starting', async () => {
  requests.startConfirming.mockReturnValueOnce(new Promise(() => {}))
  const page = await showLines([], readyWith('ten lines'))
  await act(async () => {
    buttons(page, /Confirm 10 ready deposits/)[0]?.click()
    await import('./confirm-run-dialog.tsx')
  })
  await act(async () => buttons(page, /^Confirm 10 deposits/)[0]?.click())
  await pressEsc()
  expect(buttons(page, /^Starting/)).toHaveLength(1)
})

test('doubts an unanswered start only until its run shows', async () => {
  const why = 'It is not known whether this was done.'
  requests.startConfirming.mockResolvedValueOnce({ ok: false, why, cause: 'unanswered' })
  const page = await showLines([], readyWith('ten lines'))
  await act(async () => {
    buttons(page, /Confirm 10 ready deposits/)[0]?.click()
    await import('./confirm-run-dialog.tsx')
  })
  await act(async () => buttons(page, /^Confirm 10 deposits/)[0]?.click())
  await showLines([], readyWith('ten lines'))
  expect(page.textContent).toContain(why)
  await showLines([], readyWith('ten lines'), { ...IDLE, run: 2, ended: 'All confirmed.' })
  expect(page.textContent).not.toContain(why)
  expect(page.textContent).toContain('All confirmed.')
})

test('an open confirmation stays as seen and refuses changed lines', async () => {
  const page = await showLines([], readyWith('ten lines'))
  await act(async () => {
    buttons(page, /Confirm 10 ready deposits/)[0]?.click()
    await import('./confirm-run-dialog.tsx')
  })
  const confirm = () => buttons(page, /^Confirm 10 deposits/)[0]
  expect(confirm()?.getAttribute('aria-disabled')).toBe('false')
  await showLines([], readyWith('twelve lines', 12))
  expect(page.querySelector('[role="dialog"]')?.textContent).toContain('Confirm 10 deposits of 1,000.00 BZD together')
  expect(page.querySelector('[role="dialog"] [role="alert"]')?.textContent).toContain('The lines have changed.')
  expect(confirm()?.getAttribute('aria-disabled')).toBe('true')
  await act(async () => confirm()?.click())
  expect(seals()).toEqual([])
})
