// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isUnloadGuarded } from '#components/frame/leave-guard.ts'
import { HintLayer } from '#components/values/copyable.tsx'
import type { LineView } from '#lib/statements/statement-view.ts'
import { closePage, fire, renderPage } from '#lib/testing/render-page.ts'
import { LineDialog } from './line-dialog.tsx'
import { type LineActs, useLineActs } from './use-line-acts.ts'

const requests = vi.hoisted(() => ({ changeLine: vi.fn() }))
const router = vi.hoisted(() => ({ refresh: vi.fn() }))
vi.mock('../statement-requests.ts', () => requests)
vi.mock('next/navigation', () => ({ useRouter: () => router }))

const line = (number: number) =>
  ({ number, amount: '20.00', currency: 'BZD', text: '', edited: null, given: {} }) as unknown as LineView
const onDone = vi.fn()
let acts: LineActs
let answer: (ok: boolean) => Promise<void>

function Page() {
  acts = useLineActs('s', onDone)
  const { dialog } = acts
  return (
    <HintLayer>
      <textarea />
      {dialog === null || dialog.what === 'confirm' ? null : (
        <LineDialog key={dialog.line.number} acts={acts} dialog={{ ...dialog, what: dialog.what }} />
      )}
    </HintLayer>
  )
}

const field = () => document.querySelector('input')
async function submit(text: string): Promise<void> {
  const typed = field()
  if (typed !== null) typed.value = text
  await fire(document.querySelector('form'), 'submit')
}

beforeEach(async () => {
  vi.clearAllMocks()
  requests.changeLine.mockImplementation(
    () =>
      new Promise((done) => {
        answer = (ok) => act(async () => done(ok ? { ok, value: {} } : { ok, why: 'Refused.', cause: 'refused' }))
      }),
  )
  await renderPage(<Page />)
  await act(async () => acts.open({ what: 'set-aside', line: line(3) }))
})
afterEach(closePage)

test('sends one act for two Enter presses', async () => {
  await submit('Paid twice.')
  expect(isUnloadGuarded()).toBe(true)
  await submit('Paid twice.')
  expect(requests.changeLine).toHaveBeenCalledTimes(1)
  await answer(true)
  expect([field(), onDone.mock.calls, isUnloadGuarded()]).toEqual([null, [[3]], false])
})

test.each([true, false])('a late answer leaves the dialog of another line open: %s', async (ok) => {
  await submit('Paid twice.')
  await act(async () => acts.close())
  await act(async () => acts.open({ what: 'set-aside', line: line(5) }))
  const typed = field()
  if (typed !== null) typed.value = 'Not ours.'
  await answer(ok)
  expect(field()?.value).toBe('Not ours.')
  expect(document.body.textContent).not.toContain('Refused.')
})

test('an act on another line leaves a confirmation open', async () => {
  await act(async () => acts.open({ what: 'confirm', line: line(3) }))
  const acted = acts.act(line(5), { act: 'look' })
  await answer(true)
  await acted
  expect(acts.dialog?.line.number).toBe(3)
})

test.each([
  ['button', true],
  ['input', true],
  ['textarea', false],
])('a held Enter on a %s is ignored: %s', async (element, ignored) => {
  const held = new KeyboardEvent('keydown', { key: 'Enter', repeat: true, bubbles: true, cancelable: true })
  document.querySelector(element)?.dispatchEvent(held)
  expect(held.defaultPrevented).toBe(ignored)
})

test('shows why its own act was refused', async () => {
  await submit('Paid twice.')
  await answer(false)
  expect(document.body.textContent).toContain('Refused.')
})

test('keeps the page and the text when no answer came', async () => {
  requests.changeLine.mockResolvedValueOnce({ ok: false, why: 'It is not known.', cause: 'unanswered' })
  await submit('Paid twice.')
  expect(document.body.textContent).toContain('It is not known.')
  expect([field()?.value, router.refresh.mock.calls]).toEqual(['Paid twice.', []])
})
