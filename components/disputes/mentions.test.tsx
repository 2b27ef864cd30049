// @vitest-environment happy-dom
import { act, useRef } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Colleague } from '#lib/disputes/workspace/workspace.ts'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { Mentions } from './snippets.tsx'

const person = (actor: string, name: string, awayUntil: string | null = null): Colleague => ({
  ...{ actor, name, awayUntil },
  ...{ cases: 0, overTarget: 0, unread: null },
})
const ANA = person('sso:1', 'Ana Lopez')
const MIA = person('sso:2', 'mia@example.com', '2026-12-03')

let chosen: string[]

function Note({ people }: { people: readonly Colleague[] }) {
  const box = useRef<HTMLTextAreaElement>(null)
  return (
    <>
      <textarea ref={box} aria-label="Note" />
      <Mentions box={box} people={people} onChoose={({ actor }) => chosen.push(actor)} />
    </>
  )
}

const field = () => document.querySelector('textarea') as HTMLTextAreaElement
const options = () => [...document.querySelectorAll('[role="option"]')]
const names = () => options().map((option) => option.firstElementChild?.textContent)
const selected = () => options().findIndex((option) => option.getAttribute('aria-selected') === 'true')

async function type(text: string): Promise<void> {
  field().focus()
  for (const data of text) {
    await act(async () => {
      const { value } = field()
      field().value = value + data
      field().setSelectionRange(value.length + 1, value.length + 1)
      field().dispatchEvent(new InputEvent('input', { data, bubbles: true }))
    })
  }
  await act(() => vi.dynamicImportSettled())
}

async function press(key: string, ctrlKey = false): Promise<boolean> {
  const event = new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true })
  await act(async () => void field().dispatchEvent(event))
  return event.defaultPrevented
}

beforeEach(async () => {
  chosen = []
  HTMLElement.prototype.showPopover = () => {}
  await renderPage(<Note people={[ANA, MIA]} />)
})
afterEach(closePage)

test('offers colleagues at an at sign, as a list of the field', async () => {
  await type('Ask @')
  expect(names()).toEqual(['Ana Lopez', 'mia@example.com'])
  expect(document.body.textContent).toContain('away until 2026-12-03')
  expect(document.querySelector('[role="status"]')?.textContent).toBe('2 colleagues')
  const list = document.querySelector('[role="listbox"]')
  expect(field().getAttribute('aria-controls')).toBe(list?.id)
  expect(field().getAttribute('aria-activedescendant')).toBe(options()[0]?.id)
  expect([list?.getAttribute('aria-label'), selected()]).toEqual(['Colleagues', 0])
})

test.each(['Enter', 'Tab'])('%s inserts the chosen name', async (key) => {
  await type('Ask @')
  await press('ArrowDown')
  expect(selected()).toBe(1)
  await press('ArrowDown')
  await press('ArrowUp')
  expect(await press(key)).toBe(true)
  expect([field().value, chosen, options().length]).toEqual(['Ask @mia@example.com ', ['sso:2'], 0])
  expect(field().hasAttribute('aria-activedescendant')).toBe(false)
  await type('ok')
  expect(options()).toEqual([])
})

test('letters narrow the list, also with a space in the name', async () => {
  await type('@ana l')
  expect(names()).toEqual(['Ana Lopez'])
  await press('Enter')
  expect(field().value).toBe('@Ana Lopez ')
})

test('Escape closes the list until another at sign', async () => {
  await type('@')
  expect(await press('Escape')).toBe(true)
  await type('an')
  expect([field().value, options().length]).toEqual(['@an', 0])
  expect(await press('Enter')).toBe(false)
  await type(' @')
  expect(options()).toHaveLength(2)
})

test('Ctrl Enter closes the list and sends', async () => {
  await type('Ask @a')
  expect(options()).not.toEqual([])
  expect(await press('Enter', true)).toBe(false)
  expect([field().value, options().length]).toEqual(['Ask @a', 0])
})

test('says that nobody matches, and leaves the text alone', async () => {
  await type('@zoe')
  expect(document.querySelector('[role="status"]')?.textContent).toBe('No colleague matches.')
  expect(await press('Enter')).toBe(false)
  await type(' and')
  expect([field().value, document.querySelector('[role="listbox"]')]).toEqual(['@zoe and', null])
})

test('an address in the text opens nothing', async () => {
  await type('write to ana@')
  expect(document.querySelector('[role="listbox"]')).toBeNull()
})

test('tells people of one name apart', async () => {
  await closePage()
  await renderPage(<Note people={[ANA, person('sso:00000000-0000-4000-8000-00000000abcd', 'Ana Lopez')]} />)
  await type('@ana')
  expect(document.body.textContent).toContain('abcd')
  await press('ArrowDown')
  await press('Enter')
  expect(chosen).toEqual(['sso:00000000-0000-4000-8000-00000000abcd'])
})
