// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isUnloadGuarded } from '#components/frame/leave-guard.ts'
import { ACCEPTED, commandView } from '#lib/commands/test-command.ts'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { SettleByHand } from './settle-by-hand.tsx'

const settle = vi.fn()

beforeEach(async () => {
  settle.mockClear()
  const command = commandView(ACCEPTED, { settledByHand: true, readable: false })
  await renderPage(<SettleByHand command={command} onSettle={settle} outcomeOf={() => null} />)
})
afterEach(closePage)

test('Enter in the reason settles nothing', async () => {
  const field = document.querySelector('input')
  const event = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })
  await act(async () => void field?.dispatchEvent(event))
  // A browser would press the first button of the form.
  expect(event.defaultPrevented).toBe(true)
  expect(document.body.textContent).toContain('Choose “It happened” or “It did not happen”.')
})

test('asks before the typed reason is lost', () => {
  const field = document.querySelector('input')
  expect(isUnloadGuarded()).toBe(false)
  if (field !== null) field.value = 'The bank says no.'
  expect(isUnloadGuarded()).toBe(true)
})

test('settles as the pressed button says', async () => {
  const field = document.querySelector('input')
  if (field !== null) field.value = 'The bank says no.'
  await act(async () => document.querySelector<HTMLElement>('[value="not"]')?.click())
  expect(settle.mock.calls).toEqual([[false, 'The bank says no.']])
})
