import { usePathname, useSearchParams } from 'next/navigation'
import { useEffect, useRef } from 'react'

/** Some content loads after the page. */
const SHOWN_WITHIN_MS = 5_000
const HEAD = 'h1'
/** Where the operator continues on a page without a focused field. */
const ARRIVAL = '[data-arrival]'
const PLACES_MAX = 100

/** By address: a selector of the element that last had the focus. */
const leftAt = new Map<string, string>()

/**
 * After a history step, the focus returns to the element that had it; otherwise it goes to `data-arrival` or the
 * heading. An element that the page has focused keeps the focus.
 */
export function useArrivalFocus(): void {
  const address = `${usePathname()}?${useSearchParams()}`
  const arrived = useRef(address)
  /** `mark` is read before the page can focus another field. */
  const step = useRef<{ readonly to: string; readonly mark: string | undefined } | null>(null)

  useEffect(() => {
    const onFocus = () => remember()
    const onStep = () => {
      step.current = { to: here(), mark: leftAt.get(here()) }
    }
    document.addEventListener('focusin', onFocus)
    window.addEventListener('popstate', onStep)
    return () => {
      document.removeEventListener('focusin', onFocus)
      window.removeEventListener('popstate', onStep)
    }
  }, [])

  useEffect(() => {
    if (arrived.current === address) return
    arrived.current = address
    const mark = step.current?.to === here() ? step.current.mark : undefined
    step.current = null
    if (mark === undefined && hasFocusInPage()) return
    return focusWhenThere(mark ?? ARRIVAL)
  }, [address])
}

const here = (): string => window.location.pathname + window.location.search

const page = (): HTMLElement | null => document.getElementById('main')

/** The focused link in the rail or the bar does not count. */
const hasFocusInPage = (): boolean => {
  const { activeElement } = document
  return activeElement !== page() && page()?.contains(activeElement) === true
}

function remember(): void {
  const { activeElement } = document
  const mark = activeElement !== null && hasFocusInPage() ? markOf(activeElement) : null
  if (mark === null) return
  leftAt.delete(here())
  leftAt.set(here(), mark)
  for (const oldest of [...leftAt.keys()].slice(0, Math.max(0, leftAt.size - PLACES_MAX))) leftAt.delete(oldest)
}

function markOf(element: Element): string | null {
  const href = element.getAttribute('href')
  if (href !== null) return `a[href="${CSS.escape(href)}"]`
  const name = element.getAttribute('name')
  return name === null ? null : `[name="${CSS.escape(name)}"]`
}

const find = (mark: string): HTMLElement | null => page()?.querySelector<HTMLElement>(mark) ?? null

/** Focuses the heading until the marked element exists. Stops when the focus moves. */
function focusWhenThere(mark: string): () => void {
  let given = document.activeElement
  const settle = (): boolean => {
    const { activeElement } = document
    if (activeElement !== given && activeElement !== document.body) return true
    const wanted = find(mark)
    const target = wanted ?? (hasFocusInPage() ? null : find(HEAD))
    if (target === null) return false
    if (target !== given) {
      target.focus({ preventScroll: true })
      given = document.activeElement
    }
    return wanted !== null
  }
  if (settle()) return () => {}
  const stop = () => {
    watcher.disconnect()
    clearTimeout(timer)
  }
  const watcher = new MutationObserver(() => {
    if (settle()) stop()
  })
  const timer = setTimeout(stop, SHOWN_WITHIN_MS)
  watcher.observe(document.body, { childList: true, subtree: true })
  return stop
}
