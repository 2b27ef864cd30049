// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { RehearsalView } from '#lib/commands/policy/rehearsal-for.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { closePage, fire, renderPage } from '#lib/testing/render-page.ts'
import { RehearsePolicy } from './rehearse-policy.tsx'

const client = vi.hoisted(() => ({ fetchConsole: vi.fn() }))
vi.mock('next/navigation', () => ({ useRouter: () => ({ refresh: () => {} }) }))
vi.mock('#components/service/ask-console.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  ...client,
}))

const FIGURES = { sent: 3, met: 2, denied: 1, approvals: 1, passkeys: 1, nobody: 1 }
const REHEARSAL: RehearsalView = {
  ...{ since: '2026-08-22T08:00:00.000Z', until: '2026-11-20T08:00:00.000Z', sent: 3, met: 2, notGenuine: 0 },
  kinds: [{ label: 'Confirm a deposit', ...FIGURES }],
  people: [{ name: 'Mia', userId: null, hasPasskey: false, ...FIGURES }],
  unapprovable: [
    { id: 'c', label: 'Confirm a deposit', actorName: 'Mia', at: '2026-11-19T08:00:00.000Z', why: 'Nobody can.' },
  ],
  ...{ moreUnapprovable: 4, morePeople: 5 },
}

const text = '{ "rules": [] }'
const box = () => document.querySelector('textarea')
const shown = () => document.body.textContent ?? ''
const answer = (status: number, ...frames: readonly unknown[]) =>
  client.fetchConsole.mockResolvedValueOnce(
    new Response(frames.map((frame) => `${JSON.stringify(frame)}\n`).join(''), { status }),
  )

async function submit(typed = text) {
  const field = box()
  if (field !== null) field.value = typed
  await fire(document.querySelector('form'), 'submit')
  await act(() => new Promise((done) => setImmediate(done)))
}

beforeEach(() => renderPage(<RehearsePolicy />))
afterEach(async () => {
  await closePage()
  client.fetchConsole.mockReset()
})

test('shows which field breaks which rule, and keeps the text', async () => {
  answer(200, { ok: false, faults: ['rules[0].limit.sum: must be above zero'] })
  await submit()
  expect(shown()).toContain('rules[0].limit.sum: must be above zero')
  expect([box()?.value, box()?.getAttribute('aria-invalid')]).toEqual([text, 'true'])
  expect(document.activeElement).toBe(box())
})

test('lists all faults', async () => {
  answer(200, { ok: false, faults: ['rules[0].kind: must be one', 'approvalHours: must be 1 or more'] })
  await submit()
  expect([...document.querySelectorAll('li')].map(({ textContent }) => textContent)).toEqual([
    'rules[0].kind: must be one',
    'approvalHours: must be 1 or more',
  ])
})

test('shows counts, people without a passkey and unapprovable changes', async () => {
  answer(200, { judged: 1_000 }, { rehearsal: REHEARSAL })
  await submit()
  expect(document.activeElement?.textContent).toBe('3 changes were sent. The policy concerns 2 of them.')
  for (const words of ['Confirm a deposit', 'has no passkey', 'Nobody can.', '4 more, older or not visible to you.'])
    expect(shown()).toContain(words)
  expect(shown()).toContain('5 more people, not listed.')
  expect(box()?.value).toBe(text)
})

test('prints its result, as no form without an address does', async () => {
  answer(200, { rehearsal: REHEARSAL })
  await submit()
  expect(document.querySelector('table')).not.toBeNull()
  expect(document.querySelector('form:not([action]) table')).toBeNull()
})

test('says that a result is of the text before an edit', async () => {
  const words = 'These figures are of the text before your edit.'
  answer(200, { rehearsal: REHEARSAL })
  await submit()
  expect(shown()).not.toContain(words)
  await fire(box(), 'input')
  expect(document.querySelector('[role="status"]')?.textContent).toBe(words)
  answer(200, { rehearsal: REHEARSAL })
  await submit()
  expect(shown()).not.toContain(words)
})

test('shows a failure as a failure, never as an empty result', async () => {
  answer(503, { problem: problemOf('console', { status: 503, title: 'The store is out' }) })
  await submit()
  expect(document.querySelector('[role="alert"]')).not.toBeNull()
  expect(shown()).not.toContain('By kind')
  expect(box()?.value).toBe(text)
})

test('shows an answer that breaks off as no result', async () => {
  answer(200, { judged: 1_000 })
  await submit()
  expect(document.querySelector('[role="alert"]')).not.toBeNull()
})

test.each([
  [1, '1 change read'],
  [12_000, '12,000 changes read'],
])('counts the changes that are read: %i', async (judged, words) => {
  const frame = new TextEncoder().encode(`${JSON.stringify({ judged })}\n`)
  client.fetchConsole.mockResolvedValueOnce(new Response(new ReadableStream({ start: (to) => to.enqueue(frame) })))
  await submit()
  await vi.waitFor(() => expect(shown()).toContain(words))
})

test('sends nothing without a text, and nothing too large', async () => {
  await submit(' ')
  expect(shown()).toContain('Choose a file, or paste a policy.')
  await submit('x'.repeat(60_001))
  expect(shown()).toContain('larger than 60 kB')
  expect(client.fetchConsole).not.toHaveBeenCalled()
})

test('puts the text of a chosen file into the field', async () => {
  const field = document.querySelector<HTMLInputElement>('input[type="file"]')
  Object.defineProperty(field, 'files', { configurable: true, value: [new File([text], 'new.json')] })
  await act(async () => void field?.dispatchEvent(new Event('change', { bubbles: true })))
  await vi.waitFor(() => expect(box()?.value).toBe(text))
})

test('can be stopped', async () => {
  client.fetchConsole.mockImplementationOnce(
    (_path, { signal }) =>
      new Promise((_done, fail) => signal.addEventListener('abort', () => fail(new Error('aborted')))),
  )
  await submit()
  const stop = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Stop')
  await fire(stop ?? null, 'click')
  await vi.waitFor(() => expect(shown()).toContain('Stopped. Nothing was changed.'))
  expect(document.activeElement).toBe(box())
})
