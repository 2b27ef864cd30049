import { type RefObject, useEffect } from 'react'

/** What does something of its own when it is clicked. */
const OWN_CLICK = 'a, button, input, select, label, [role="tooltip"]'

/** Opens a row by a click on it, as its first link would: with Ctrl or the middle button that is the link's own business. */
export function useRowClicks(grid: RefObject<HTMLElement | null>, on: boolean): void {
  useEffect(() => {
    const shown = grid.current
    if (!on || shown === null) return
    const onClick = (event: MouseEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
      if (!(event.target instanceof Element) || event.target.closest(OWN_CLICK) !== null) return
      // A person who is selecting text wants the selection.
      if (window.getSelection()?.toString()) return
      event.target.closest('[data-row]')?.querySelector<HTMLAnchorElement>('a[href]')?.click()
    }
    shown.addEventListener('click', onClick)
    return () => shown.removeEventListener('click', onClick)
  }, [grid, on])
}
