// @vitest-environment happy-dom
import { act, createRef, useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { UnsentText } from '#components/frame/unsent-text.tsx'
import { splitAnswerLine, withAnswerLine } from '#lib/disputes/thread/thread.ts'
import { closePage, fire, renderPage } from '#lib/testing/render-page.ts'
import { inDays } from '#lib/testing/test-case.ts'
import { Composer } from './thread-pane.tsx'

vi.mock('#components/frame/unsent-text.tsx', () => ({ UnsentNote: () => null, useUnsentText: vi.fn() }))

const sent = vi.fn()
const box = createRef<HTMLTextAreaElement>()
const unsent = { initial: '', flush: () => {}, keeping: { step: 'none' } } as unknown as UnsentText

function Page({ until }: { until: string | null }) {
  const [deadline, setDeadline] = useState(until)
  return (
    <Composer
      {...{ box, unsent, deadline, limit: null, notice: '', blocked: null }}
      onDeadline={setDeadline}
      onText={() => {}}
      onSend={sent}
    />
  )
}

const minute = (days: number) => `${inDays(days).slice(0, 16)}:00.000Z`
async function page(until: string | null) {
  const shown = await renderPage(<Page until={until} />)
  // The last line loads on demand.
  await act(() => import('./snooze-dialog.tsx'))
  return shown
}
async function send(shown: HTMLElement, text: string): Promise<void> {
  if (box.current !== null) box.current.value = text
  await fire(shown.querySelector('form'), 'submit')
}
const button = (shown: HTMLElement, label: string) => shown.querySelector(`[aria-label="${label}"]`)

beforeEach(() => {
  sent.mockClear()
})
afterEach(closePage)

test('shows the last line exactly as it is sent', async () => {
  const until = minute(2)
  const shown = await page(until)
  await send(shown, ' Which day was it? ')
  const [[body]] = sent.mock.calls as [[string]]
  expect(shown.textContent).toContain(body.split('\n\n').at(-1))
  expect(splitAnswerLine(body)).toEqual({ text: 'Which day was it?', until })
})

test('sends no last line once the deadline is removed', async () => {
  const shown = await page(minute(2))
  await fire(button(shown, 'Remove the deadline'), 'click')
  expect(shown.textContent).not.toContain('Please answer by')
  await send(shown, 'Which day was it?')
  expect(sent).toHaveBeenCalledWith('Which day was it?')
})

test('sends no deadline without words', async () => {
  const shown = await page(minute(2))
  await send(shown, ' ')
  expect(shown.textContent).toContain('Enter a message.')
  expect(sent).not.toHaveBeenCalled()
})

test('a double click sends one message and shows no fault', async () => {
  const shown = await page(null)
  await send(shown, 'Which day was it?')
  await send(shown, '')
  expect(sent).toHaveBeenCalledOnce()
  expect(shown.textContent).not.toContain('Enter a message.')
})

test('sends no deadline that has passed', async () => {
  const shown = await page(minute(-1))
  await send(shown, 'Which day was it?')
  expect(shown.textContent).toContain('This time has passed. Enter a later time.')
  expect(sent).not.toHaveBeenCalled()
})

test('counts the last line for the length', async () => {
  const shown = await page(minute(2))
  await send(shown, 'x'.repeat(3_990))
  expect(shown.textContent).toContain('At most 4,000 characters; this has 4,03')
  expect(sent).not.toHaveBeenCalled()
})

test.each([
  ['Well?', null],
  ['Well?\n\nPlease answer by 2026-11-30 12:00 UTC.', '2026-11-30T12:00:00.000Z'],
  ['Well? Please answer by 2026-11-30 12:00 UTC.', null],
  ['Well?\n\nPlease answer by 2026-13-30 12:00 UTC.', null],
  ['Well?\n\nPlease answer by 2026-11-30 12:00 UTC. Thanks.', null],
])('finds the deadline that %j ends with', (body, until) => {
  const found = splitAnswerLine(body)
  expect(found.until).toBe(until)
  expect(withAnswerLine(found.text, found.until)).toBe(body)
})
