import { type RefObject, useEffect, useState } from 'react'
import { isPageKey } from '#components/ui/page-key.ts'

/**
 * `j` and `k` move from row to row, from wherever the focus is; within the table the arrow keys, Home and End do as well,
 * and left and right move within a row. The focus goes to the link by which a row opens, so that Enter is the browser's own. Answers the id of the row at which
 * the Tab key stops: of those in `openable`, the one last visited on this `page`, else the first.
 */
export function useRowKeys(
  grid: RefObject<HTMLElement | null>,
  openable: readonly string[],
  page: string,
): string | undefined {
  const [visited, setVisited] = useState({ page, row: '' })
  useEffect(() => {
    const onFocus = (event: FocusEvent) => {
      const row = event.target instanceof Element ? rowAround(event.target) : null
      if (row !== null) setVisited({ page, row: row.dataset.row ?? '' })
    }
    const onKey = (event: KeyboardEvent) => {
      const target = grid.current === null ? null : targetOf(event, grid.current)
      if (target === null) return
      event.preventDefault()
      target.focus()
    }
    const shown = grid.current
    shown?.addEventListener('focusin', onFocus)
    document.addEventListener('keydown', onKey)
    return () => {
      shown?.removeEventListener('focusin', onFocus)
      document.removeEventListener('keydown', onKey)
    }
  }, [grid, page])
  return visited.page === page && openable.includes(visited.row) ? visited.row : openable[0]
}

const rowAround = (element: Element): HTMLElement | null => element.closest<HTMLElement>('[data-row]')

/** The links by which rows open, in order: the first of each row that has one. */
const rowLinks = (grid: HTMLElement): readonly HTMLAnchorElement[] =>
  [...grid.querySelectorAll('[data-row]')].flatMap((row) => row.querySelector<HTMLAnchorElement>('a[href]') ?? [])

/** Where a key leads; null when it is none of ours. */
function targetOf(event: KeyboardEvent, grid: HTMLElement): HTMLElement | null {
  if (!isPageKey(event)) return null
  const { activeElement } = document
  const row = activeElement === null ? null : rowAround(activeElement)
  // Of several tables on a page, the one that has the focus hears the keys, else the first.
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

/** Coming back from elsewhere, the focus returns to the row that had it. */
const startingAt = (links: readonly HTMLAnchorElement[]): number =>
  Math.max(
    0,
    links.findIndex((link) => link.tabIndex !== -1),
  )
