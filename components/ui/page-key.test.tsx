// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { usePageKey } from './kbd.tsx'
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from './select.tsx'

const onKey = vi.fn()

function Page() {
  usePageKey('a', onKey)
  return (
    <>
      <button type="button">Assign</button>
      <Select>
        <SelectTrigger>
          <SelectValue placeholder="Category" />
        </SelectTrigger>
        <SelectContent>
          <SelectItem value="amount">Amount</SelectItem>
        </SelectContent>
      </Select>
    </>
  )
}

const press = (target: Element | null | undefined, key: string) =>
  act(async () => {
    if (target instanceof HTMLElement) target.focus()
    target?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  })

afterEach(async () => {
  await closePage()
  onKey.mockClear()
})

test('a key typed into a select is no shortcut', async () => {
  const page = await renderPage(<Page />)
  const [trigger, option] = ['[role=combobox]', '[role=option]'].map((one) => () => page.querySelector(one))
  await press(page.querySelector('button'), 'a')
  expect(onKey).toHaveBeenCalledTimes(1)
  await press(trigger?.(), 'a')
  expect(onKey).toHaveBeenCalledTimes(1)
  await press(trigger?.(), 'Enter')
  await press(option?.(), 'a')
  expect(document.activeElement?.textContent).toBe('Amount')
  expect(onKey).toHaveBeenCalledTimes(1)
})
