// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { closePage, fire, renderPage } from '#lib/testing/render-page.ts'
import { Omnibox } from './omnibox.tsx'
import type { OmniboxDialogProps } from './omnibox-dialog.tsx'
import { takeRequestedAct } from './requested-act.ts'
import { useLookUp } from './use-look-up.ts'

const loads = vi.hoisted(() => ({ count: 0 }))
vi.mock('./omnibox-dialog.tsx', () => {
  loads.count += 1
  return {
    OmniboxDialog: ({ onGo }: OmniboxDialogProps) => (
      <button type="button" onClick={() => onGo('/disputes', 'assign-next')}>
        Opened
      </button>
    ),
  }
})
vi.mock('./keys-dialog.tsx', () => ({ KeysDialog: () => null }))

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(async () => {
  await closePage()
  vi.useRealTimers()
})

test('loads its dialog before it is needed, and opens at once', async () => {
  const page = await renderPage(<Omnibox scopes={Promise.resolve(null)} />)
  expect(loads.count).toBe(0)
  await act(async () => {
    await vi.advanceTimersByTimeAsync(2_500)
    await vi.dynamicImportSettled()
  })
  expect(loads.count).toBe(1)
  await fire(page.querySelector('button'), 'click')
  expect(page.textContent).toContain('Opened')
})

test.each([true, false])('runs an act only where the page may be left: stays %s', async (stays) => {
  const onClick = (event: Event) => {
    if (!(event.target instanceof HTMLAnchorElement)) return
    event.preventDefault()
    if (stays) event.stopPropagation()
  }
  document.addEventListener('click', onClick, true)
  const page = await renderPage(<Omnibox scopes={Promise.resolve(null)} />)
  await fire(page.querySelector('button'), 'click')
  await act(() => vi.dynamicImportSettled())
  await act(async () => [...page.querySelectorAll('button')].at(-1)?.click())
  document.removeEventListener('click', onClick, true)
  expect(takeRequestedAct('assign-next')).toBe(!stays)
})

function Typed({ text }: { text: string }) {
  useLookUp(text)
  return null
}

describe('a look-up of digits', () => {
  const NUMBER = '4111 1111 1111 1111'
  const fetched = vi.fn(async () => new Response(''))

  const type = async (text: string, forMs: number) => {
    await renderPage(<Typed text={text} />)
    await act(() => vi.advanceTimersByTimeAsync(forMs))
  }
  beforeEach(() => {
    fetched.mockClear()
    vi.stubGlobal('fetch', fetched)
  })

  test('sends no part of a card number that is typed', async () => {
    for (let end = 1; end <= NUMBER.length; end += 1) await type(NUMBER.slice(0, end), end % 5 === 0 ? 1_500 : 300)
    for (let end = NUMBER.length; end > 10; end -= 1) await type(NUMBER.slice(0, end), 300)
    const sent = fetched.mock.calls.map((call) => JSON.stringify(call))
    expect(sent.filter((call) => call.includes('4111 1111'))).toEqual([])
  })

  test.each([
    ['202611160041', 200],
    ['DEP~20261116', 200],
  ])('sends %s soon if it is pasted', async (text, forMs) => {
    await type('', 0)
    await type(text, forMs)
    expect(fetched).toHaveBeenCalledOnce()
  })

  test('sends digits that were typed in the end', async () => {
    for (let end = 1; end <= 12; end += 1) await type('202611160041'.slice(0, end), 100)
    expect(fetched).not.toHaveBeenCalled()
    await type('202611160041', 2_000)
    expect(fetched).toHaveBeenCalledOnce()
  })
})
