// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { closePage, fire, renderPage } from '#lib/testing/render-page.ts'
import { CodeField } from './code-field.tsx'

const send = vi.fn()
const show = (busy: boolean) => renderPage(<CodeField fault={null} lock={null} digits={6} busy={busy} onCode={send} />)

async function press(): Promise<void> {
  const field = document.querySelector('input')
  if (field !== null) field.value = '123456'
  await fire(document.querySelector('form'), 'submit')
}

beforeEach(async () => {
  send.mockClear()
  await show(false)
  await press()
})
afterEach(closePage)

test('keeps the focus while codes are locked', async () => {
  await renderPage(<CodeField fault={null} lock={{ lockedSeconds: 60 }} digits={6} busy={false} onCode={send} />)
  const field = document.querySelector('input')
  expect([document.activeElement, field?.disabled, field?.readOnly]).toEqual([field, false, true])
  expect(field?.getAttribute('aria-disabled')).toBe('true')
  send.mockClear()
  await press()
  expect(send).not.toHaveBeenCalled()
})

test('sends a code once, however often it is pressed', async () => {
  await press()
  await show(true)
  await press()
  expect(send.mock.calls).toEqual([['123456']])
})

test('sends the same code again after an attempt that failed', async () => {
  await show(true)
  await show(false)
  await press()
  expect(send.mock.calls).toEqual([['123456'], ['123456']])
})
