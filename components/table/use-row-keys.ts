import { type RefObject, useEffect, useRef, useState } from 'react'
import { isPageKey } from '#components/ui/kbd.tsx'

/** `j`, `k` from anywhere; arrows, Home, End in the table. Returns the row that is the tab stop. Keeps the focus. */
export function useRowKeys(
  grid: RefObject<HTMLElement | null>,
  openable: readonly string[],
  page: string,
): string | undefined {
  const [visited, setVisited] = useState({ page, row: '' })
  const focused = useRef<HTMLElement>(null)
  useEffect(() => {
    if (focused.current?.isConnected === false && document.activeElement === document.body) {
      grid.current?.querySelector('table')?.focus({ preventScroll: true })
    }
    focused.current = grid.current?.contains(document.activeElement) ? rowAround(document.activeElement) : null
  })
  useEffect(() => {
    const onFocus = (event: FocusEvent) => {
      focused.current = rowAround(event.target)
      if (focused.current !== null) setVisited({ page, row: focused.current.dataset.row ?? '' })
    }
    // Also reported for a removed row.
    const onBlur = () =>
      queueMicrotask(() => {
        const row = focused.current
        if (row?.isConnected === true && !row.contains(document.activeElement)) focused.current = null
      })
    const onKey = (event: KeyboardEvent) => {
      const target = grid.current === null ? null : targetOf(event, grid.current)
      if (target === null) return
      event.preventDefault()
      target.focus()
    }
    const left = new AbortController()
    grid.current?.addEventListener('focusin', onFocus, { signal: left.signal })
    grid.current?.addEventListener('focusout', onBlur, { signal: left.signal })
    document.addEventListener('keydown', onKey, { signal: left.signal })
    return () => left.abort()
  }, [grid, page])
  return visited.page === page && openable.includes(visited.row) ? visited.row : openable[0]
}

const rowAround = (element: EventTarget | null): HTMLElement | null =>
  element instanceof Element ? element.closest<HTMLElement>('[data-row]') : null

const rowLinks = (grid: HTMLElement): readonly HTMLAnchorElement[] =>
  [...grid.querySelectorAll('[data-row]')].flatMap((row) => row.querySelector<HTMLAnchorElement>('a[href]') ?? [])

/** Null when the key does nothing here. */
function targetOf(event: KeyboardEvent, grid: HTMLElement): HTMLElement | null {
  if (!isPageKey(event)) return null
  const { activeElement } = document
  const row = rowAround(activeElement)
  // The focused table handles the keys; without focus, the first one.
  const hears = row?.closest('[data-table]') ?? document.querySelector('[data-table]')
  if (hears !== grid) return null
  const links = rowLinks(grid)
  const at = links.findIndex((link) => rowAround(link) === row)
  switch (event.key) {
    case 'j':
    case 'k':
      return links[row === null ? startingAt(links) : at + (event.key === 'j' ? 1 : -1)] ?? null
    case 'ArrowDown':
    case 'ArrowUp':
      return row === null ? null : (links[at + (event.key === 'ArrowDown' ? 1 : -1)] ?? null)
    case 'ArrowRight':
    case 'ArrowLeft':
      return row === null ? null : besideIn(row, activeElement, event.key === 'ArrowRight' ? 1 : -1)
    case 'Home':
      return row === null ? null : (links[0] ?? null)
    case 'End':
      return row === null ? null : (links.at(-1) ?? null)
    default:
      return null
  }
}

function besideIn(row: HTMLElement, from: Element | null, step: 1 | -1): HTMLElement | null {
  const parts = [...row.querySelectorAll<HTMLElement>('a[href], button:enabled, input:enabled')]
  return parts[parts.findIndex((part) => part === from) + step] ?? null
}

const startingAt = (links: readonly HTMLAnchorElement[]): number =>
  Math.max(
    0,
    links.findIndex((link) => link.tabIndex !== -1),
  )
