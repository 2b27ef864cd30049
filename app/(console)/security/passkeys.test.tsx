// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { closePage, fire, renderPage } from '#lib/testing/render-page.ts'
import type { PasskeyView } from '#lib/two-factor/passkey.ts'
import { Passkeys } from './passkeys.tsx'

const seams = vi.hoisted(() => ({ draft: vi.fn(), ask: vi.fn(), make: vi.fn() }))
vi.mock('next/navigation', () => ({ useRouter: () => ({ refresh: () => {} }) }))
vi.mock('#components/command/command-client.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  draft: seams.draft,
}))
vi.mock('#components/command/passkey.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  makePasskey: seams.make,
}))
vi.mock('#components/service/ask-console.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  askConsole: seams.ask,
}))

const passkey = (id: string): PasskeyView => ({
  ...{ id, name: `Key ${id}`, synced: false, createdAt: '2026-11-20T10:00:00.000Z', lastUsedAt: null },
})
const page = () => renderPage(<Passkeys passkeys={[passkey('a'), passkey('b')]} />)

const named = (name: string) =>
  [...document.querySelectorAll('button')].find(({ textContent }) => textContent === name) ?? null
const press = async (name: string) => {
  const button = named(name)
  button?.focus()
  await fire(button, 'click')
  return button
}
const type = async (name: string, text: string) => {
  const field = document.querySelector<HTMLInputElement>(`input[name="${name}"]`)
  if (field !== null) field.value = text
  await fire(field, 'input')
}

beforeEach(page)
afterEach(closePage)

test('keeps the focus of the button that removes a passkey', async () => {
  seams.draft.mockReset().mockReturnValue(new Promise(() => {}))
  for (const name of ['Remove', 'Ask to remove']) {
    const button = await press(name)
    expect([button?.disabled, document.activeElement === button]).toEqual([false, true])
  }
  expect(seams.draft).toHaveBeenCalledOnce()
})

test('moves the focus into the form and back', async () => {
  await press('Add a passkey')
  expect(document.activeElement?.getAttribute('name')).toBe('passkey-name')
  await press('Cancel')
  expect(document.activeElement).toBe(named('Add a passkey'))
})

test('moves the focus to the name that is missing', async () => {
  await press('Add a passkey')
  document.querySelector<HTMLInputElement>('input[name="code"]')?.focus()
  await type('code', '123456')
  await fire(document.querySelector('form'), 'submit')
  expect(document.activeElement?.getAttribute('name')).toBe('passkey-name')
})

test.each([
  [true, null, 'The code was rejected.'],
  [true, 300, 'Too many codes were rejected.'],
  [false, 300, 'Too many codes were rejected.'],
])('announces in the field: rejected %j, locked for %j', async (rejected, lockedSeconds, words) => {
  const wanted = { ...{ need: 'code', rejected, triesLeft: 2 }, lockedSeconds, title: '', advice: '' }
  seams.ask.mockReset().mockResolvedValue({ status: 200, body: { wanted } })
  await press('Add a passkey')
  await type('passkey-name', 'Work laptop')
  document.querySelector<HTMLInputElement>('input[name="code"]')?.focus()
  await type('code', '123456')
  await fire(document.querySelector('form'), 'submit')
  const alert = document.querySelector('[role=alert]')
  expect([alert?.className, alert?.textContent]).toEqual(['sr-only', expect.stringContaining(words)])
  expect(document.activeElement?.getAttribute('name')).toBe('code')
})

test('moves the focus to the words about the added passkey', async () => {
  const added = Promise.withResolvers<unknown>()
  seams.ask
    .mockReset()
    .mockResolvedValueOnce({ status: 200, body: { options: {} } })
    .mockReturnValue(added.promise)
  seams.make.mockResolvedValue({ ok: true, value: {} })
  await press('Add a passkey')
  await type('passkey-name', 'Work laptop')
  document.querySelector<HTMLInputElement>('input[name="code"]')?.focus()
  await type('code', '123456')
  await fire(document.querySelector('form'), 'submit')
  expect(named('Cancel')?.disabled).toBe(false)
  await press('Cancel')
  expect(named('Add a passkey')).toBeNull()
  await act(async () => added.resolve({ status: 200, body: {} }))
  expect(document.activeElement?.textContent).toBe('The passkey “Work laptop” was added.')
})
