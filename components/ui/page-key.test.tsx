// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { usePageKey } from './kbd.tsx'
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from './select.tsx'

const onKey = vi.fn()

function Page({ on = 'a' }) {
  usePageKey(on, onKey)
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
  vi.restoreAllMocks()
  onKey.mockClear()
})

/** happy-dom knows no open popovers. */
function standInForOpen() {
  const find = document.querySelector.bind(document)
  const inTest = (selector: string) => find(selector.replaceAll(':popover-open', '[data-open]'))
  vi.spyOn(document, 'querySelector').mockImplementation(inTest)
}

test.each([
  ['leaves Escape to an open menu', undefined, 0],
  ['acts on Escape beside a tooltip', 'tooltip', 1],
] as const)('%s', async (_title, role, calls) => {
  standInForOpen()
  const page = await renderPage(
    <>
      <Page on="Escape" />
      <div popover="auto" data-open role={role} />
    </>,
  )
  await press(page.querySelector('button'), 'Escape')
  expect(onKey).toHaveBeenCalledTimes(calls)
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
