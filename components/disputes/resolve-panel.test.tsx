// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Command } from '#components/command/command-state.ts'
import type { CategoryChoice } from '#lib/disputes/categories/category.ts'
import { closePage, fire, renderPage } from '#lib/testing/render-page.ts'
import { ResolvePanel } from './resolve-panel.tsx'

vi.mock('#components/service/ask-console.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  askConsole: async () => ({ status: 200, body: { ok: true } }),
}))

afterEach(closePage)

const idle = { state: { step: 'idle' }, faults: {}, heldBy: null } as unknown as Command
const disputed = { fromAccountId: 'ana', toAccountId: 'ben', debit: '5', credit: '5' }

const prepared = vi.fn()

const page = (text = '', command = idle, categories: readonly CategoryChoice[] = []) =>
  renderPage(
    <ResolvePanel
      {...{ disputed, command, categories, of: 'case', verifiedUntil: null, blockedReason: null, policy: null }}
      kept={{ owner: 'me', place: `case-reason:${text}`, text, version: 0, other: null }}
      similar={<p>The earlier decisions</p>}
      onPrepare={prepared}
    />,
  )
const show = (shown: HTMLElement) => shown.querySelector('[aria-expanded]')

async function type(shown: HTMLElement, text: string): Promise<void> {
  const box = shown.querySelector('textarea')
  if (box !== null) box.value = text
  await fire(box, 'input')
}

test('shows similar decisions only after a reason is written', async () => {
  const shown = await page()
  expect(show(shown)?.getAttribute('aria-disabled')).toBe('true')
  expect(shown.textContent).toContain('Write your reason first.')
  await fire(show(shown), 'click')
  expect(shown.textContent).not.toContain('The earlier decisions')
  await type(shown, 'Nothing was sent.')
  expect(shown.textContent).not.toContain('Write your reason first.')
  await fire(show(shown), 'click')
  expect(shown.textContent).toContain('The earlier decisions')
  await fire(show(shown), 'click')
  await type(shown, ' ')
  await fire(show(shown), 'click')
  expect(shown.textContent).not.toContain('The earlier decisions')
})

test('takes a saved reason for a written one', async () => {
  const shown = await page('Nothing was sent.')
  await fire(show(shown), 'click')
  expect(shown.textContent).toContain('The earlier decisions')
})

test('leads to the change that it waits for', async () => {
  const faults = { caseId: 'This waits for approval already.' }
  const shown = await page('Nothing was sent.', { ...idle, faults, heldBy: 'c1' })
  expect(shown.querySelector('a[href="/activity/c1"]')?.textContent).toBe('Open the earlier change')
  expect((await page('', { ...idle, faults })).querySelector('a[href^="/activity/"]')).toBeNull()
})

describe('the category', () => {
  const categories = [
    { id: 'c1', name: 'Never came' },
    { id: 'c2', name: 'Fake' },
  ]
  const open = async (command = idle, offered = categories) => {
    prepared.mockClear()
    const shown = await page('Nothing was sent.', command, offered)
    // The select loads on demand.
    await act(() => import('./category-field.tsx'))
    return shown
  }
  const resolve = async (shown: HTMLElement) => {
    await act(async () => shown.querySelector<HTMLElement>('input[value="refund"]')?.click())
    await fire(shown.querySelector('form'), 'submit')
  }
  const select = async (shown: HTMLElement, name: string) => {
    const trigger = shown.querySelector<HTMLElement>('[data-slot="select-trigger"]')
    trigger?.focus()
    await act(async () => trigger?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true })))
    await act(async () => {})
    const item = [...document.querySelectorAll<HTMLElement>('[role="option"]')].find((it) => it.textContent === name)
    await act(async () => item?.focus())
    await act(async () => item?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true })))
  }

  test('is not asked for while the team has none', async () => {
    const shown = await open(idle, [])
    expect(shown.querySelector('[data-slot="select-trigger"]')).toBeNull()
    await resolve(shown)
    expect(prepared).toHaveBeenCalledWith('refund', 'Nothing was sent.', null)
  })

  test('is needed once there is one', async () => {
    const shown = await open()
    await resolve(shown)
    expect(shown.textContent).toContain('Select a category.')
    expect(prepared).not.toHaveBeenCalled()
    await select(shown, 'Fake')
    expect(shown.textContent).not.toContain('Select a category.')
    await resolve(shown)
    expect(prepared).toHaveBeenCalledWith('refund', 'Nothing was sent.', 'c2')
  })

  test('that is retired meanwhile is refused at its field', async () => {
    const faults = { category: 'This category is retired. Select another one.' }
    const shown = await open({ ...idle, faults })
    const trigger = shown.querySelector('[data-slot="select-trigger"]')
    const note = document.getElementById(trigger?.getAttribute('aria-describedby') ?? '')
    expect([trigger?.getAttribute('aria-invalid'), note?.textContent]).toEqual(['true', faults.category])
    await select(shown, 'Fake')
    expect(shown.textContent).not.toContain('is retired')
  })

  test('is asked for where the page knows none', async () => {
    const shown = await open({ ...idle, faults: { category: 'Select a category.' } }, [])
    expect(shown.querySelector('[role="alert"].text-sm')?.textContent).toBe('Select a category.')
  })
})
