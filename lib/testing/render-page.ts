import { act, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { vi } from 'vitest'

let root: Root | null = null

/** Renders with effects, in a test file for happy-dom. The test calls {@link closePage} in the end. */
export async function renderPage(node: ReactNode): Promise<HTMLElement> {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  root ??= createRoot(document.body)
  await act(async () => root?.render(node))
  return document.body
}

export async function closePage(): Promise<void> {
  await act(async () => root?.unmount())
  root = null
  vi.unstubAllGlobals()
}

export const pressEsc = (): Promise<void> =>
  act(async () => void document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true })))

export const fire = (target: EventTarget | null, type: string): Promise<void> =>
  act(async () => void target?.dispatchEvent(new Event(type, { bubbles: true })))
