import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { guardUnload, releaseUnloadGuards } from './leave-guard.ts'

class FakeElement {
  readonly #link: object | null
  constructor(link: object | null) {
    this.#link = link
  }
  closest() {
    return this.#link
  }
}

let prompts: number
let agrees: boolean

beforeEach(() => {
  prompts = 0
  agrees = false
  vi.stubGlobal('window', Object.assign(new EventTarget(), { navigation: new EventTarget() }))
  vi.stubGlobal('document', new EventTarget())
  vi.stubGlobal('location', {
    href: 'https://console/a?b=1',
    origin: 'https://console',
    pathname: '/a',
    search: '?b=1',
  })
  vi.stubGlobal('Element', FakeElement)
  vi.stubGlobal('confirm', () => {
    prompts += 1
    return agrees
  })
})
afterEach(() => {
  releaseUnloadGuards()
  vi.unstubAllGlobals()
})

/** Whether the link is followed. */
function click(href: string, with_: Partial<MouseEvent> & { readonly newTab?: boolean } = {}): boolean {
  const event = new Event('click', { cancelable: true })
  const target = new FakeElement({
    href: new URL(href, 'https://console/a').href,
    target: with_.newTab ? '_blank' : '',
    hasAttribute: () => false,
    closest: () => null,
    click: () => click(href),
  })
  Object.defineProperty(event, 'target', { value: target })
  Object.assign(event, { button: 0, ctrlKey: false, metaKey: false, shiftKey: false, ...with_ })
  document.dispatchEvent(event)
  return !event.defaultPrevented
}

/** Whether the step is taken. */
function step(navigationType: 'traverse' | 'push'): boolean {
  const event = Object.assign(new Event('navigate', { cancelable: true }), {
    navigationType,
    destination: { key: 'one' },
  })
  window.navigation.dispatchEvent(event)
  return !event.defaultPrevented
}

test('asks before a link loses typed text', () => {
  let lost = true
  guardUnload({ holds: () => lost })
  expect([click('/c'), prompts]).toEqual([false, 1])
  agrees = true
  expect([click('/c'), prompts]).toEqual([true, 2])
  lost = false
  expect([click('/c'), prompts]).toEqual([true, 2])
})

test('what leaves nothing asks nothing: another tab, a place on this page', () => {
  guardUnload({ holds: () => true })
  expect(click('/c', { newTab: true })).toBe(true)
  expect(click('/c', { ctrlKey: true })).toBe(true)
  expect(click('/a?b=1#main')).toBe(true)
  expect(prompts).toBe(0)
})

test('asks in the guard’s own dialog, then for other guards', () => {
  let leave = () => {}
  guardUnload({ holds: () => true })
  guardUnload({
    holds: () => true,
    ask: (go) => {
      leave = go
    },
  })
  expect([click('/c'), prompts]).toEqual([false, 0])
  leave()
  expect([click('/d'), prompts]).toEqual([false, 2])
})

test('a step through the history asks like a link', () => {
  guardUnload({ holds: () => true })
  expect([step('traverse'), prompts]).toEqual([false, 1])
  expect([step('push'), prompts]).toEqual([true, 1])
  agrees = true
  expect([step('traverse'), prompts]).toEqual([true, 2])
})

test('a hold that is let go, or a page that is let go, asks nothing', () => {
  const letGo = guardUnload({ holds: () => true })
  letGo()
  expect(click('/c')).toBe(true)
  guardUnload({ holds: () => true })
  releaseUnloadGuards()
  expect(click('/c')).toBe(true)
})
