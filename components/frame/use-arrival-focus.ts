import { usePathname, useSearchParams } from 'next/navigation'
import { useEffect, useRef } from 'react'

/** What a page reads late may take so long to be there. */
const SHOWN_WITHIN_MS = 5_000
const HEAD = 'h1'
/** Marks where a person goes on, on a page that gives the focus to no field. */
const ARRIVAL = '[data-arrival]'
const PLACES_MAX = 100

/** By address, how to find again what had the focus there last. */
const leftAt = new Map<string, string>()

/**
 * Puts the focus where a person goes on after each change of the address that took it away: after a step through the
 * history to what had it there last, else to where the page says that one goes on, or to its head. What a page itself gives
 * the focus to keeps it.
 */
export function useArrivalFocus(): void {
  const address = `${usePathname()}?${useSearchParams()}`
  const arrived = useRef(address)
  /** Of the latest step through the history: to where, and what had the focus there. A page may focus another field. */
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

/** What has the focus outside of it, the link that led to it, is left behind. */
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

/** A link is the same one if it leads to the same place, a field if it has the same name. */
function markOf(element: Element): string | null {
  const href = element.getAttribute('href')
  if (href !== null) return `a[href="${CSS.escape(href)}"]`
  const name = element.getAttribute('name')
  return name === null ? null : `[name="${CSS.escape(name)}"]`
}

const find = (mark: string): HTMLElement | null => page()?.querySelector<HTMLElement>(mark) ?? null

/**
 * Focuses what the mark finds; until that is there, the page's head. What the person or the page focuses
 * meanwhile keeps the focus.
 */
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
