import type { ComponentProps, KeyboardEvent } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DialogContent } from '#components/ui/dialog.tsx'
import { Modal } from './modal.tsx'

const shown = vi.hoisted(() => ({ content: {} as ComponentProps<typeof DialogContent> }))

// The dialog needs a browser; the test gives the content its events.
vi.mock('#components/ui/dialog.tsx', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  Dialog: ({ children }: { children: React.ReactNode }) => children,
  DialogContent: (content: ComponentProps<typeof DialogContent>) => {
    shown.content = content
    return null
  },
}))

const OPENED_MS = 5_000
const clicks = vi.fn()

beforeEach(() => {
  vi.stubGlobal('document', { activeElement: null })
  vi.stubGlobal('HTMLElement', class {})
  vi.spyOn(performance, 'now').mockReturnValue(OPENED_MS)
  renderToStaticMarkup(
    <Modal title="Resolve" description="" onClose={() => {}}>
      {null}
    </Modal>,
  )
  const event = { preventDefault: () => {}, currentTarget: { querySelector: () => null } } as unknown as Event
  shown.content.onOpenAutoFocus?.(event)
})
afterEach(() => {
  clicks.mockReset()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** The buttons of a footer, by the selector that finds them. */
type Footer = Readonly<Record<string, string>>

const SUBMITS: Footer = { '[type="submit"]': 'submit', 'button:not([data-cancel])': 'first' }
const NO_FORM: Footer = { 'button:not([data-cancel])': 'first' }

function press(key: string, change: Partial<KeyboardEvent> = {}, footer = SUBMITS): boolean {
  const buttonAt = (selector: string) => {
    const button = footer[selector]
    return button === undefined ? null : { click: () => clicks(button) }
  }
  const preventDefault = vi.fn()
  const event = {
    ...{ key, preventDefault, ctrlKey: true, metaKey: false, repeat: false, defaultPrevented: false },
    ...{ timeStamp: OPENED_MS + 1, currentTarget: { querySelector: () => ({ querySelector: buttonAt }) } },
    ...change,
  }
  shown.content.onKeyDown?.(event as unknown as KeyboardEvent<HTMLDivElement>)
  return preventDefault.mock.calls.length > 0
}

test.each([
  ['Control', {}],
  ['Meta', { ctrlKey: false, metaKey: true }],
])('confirms with %s and Enter by the submit button', (modifier, change) => {
  press(modifier, change)
  expect(press('Enter', change)).toBe(true)
  expect(clicks.mock.calls).toEqual([['submit']])
})

test('confirms by the first button without a form', () => {
  press('Control')
  press('Enter', {}, NO_FORM)
  expect(clicks.mock.calls).toEqual([['first']])
})

test('ignores a second press while Ctrl stays down', () => {
  expect(press('Enter')).toBe(true)
  press('Control', { repeat: true })
  press('Enter')
  expect(clicks).not.toHaveBeenCalled()
  press('Control')
  press('Enter')
  expect(clicks).toHaveBeenCalledOnce()
})

test('ignores keys pressed before the dialog opened', () => {
  const before = { timeStamp: OPENED_MS - 1 }
  press('Control', before)
  press('Enter', before)
  expect(clicks).not.toHaveBeenCalled()
})

test.each([
  ['a held key', 'Enter', { repeat: true }, true],
  ['Enter alone', 'Enter', { ctrlKey: false }, false],
  ['another key', 'a', {}, false],
  ['a key used in the dialog', 'Enter', { defaultPrevented: true }, false],
] as const)('confirms nothing by %s', (_what, key, change, prevents) => {
  press('Control')
  expect(press(key, change)).toBe(prevents)
  expect(clicks).not.toHaveBeenCalled()
})
