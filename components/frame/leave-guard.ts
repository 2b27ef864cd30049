/** Something on the page that leaving it would lose; asked anew each time. */
type Hold = () => boolean

const holds = new Set<Hold>()

/** Whether leaving the page would lose something. */
export const isHeld = (): boolean => [...holds].some((hold) => hold())

/**
 * As long as `hold` answers true, leaving the page asks first: in the browser's own words for another address, a reload or
 * the tab's end, in ours for a link within the console. Answers how to let go.
 */
export function holdPage(hold: Hold): () => void {
  if (holds.size === 0) listen(true)
  holds.add(hold)
  return () => {
    holds.delete(hold)
    if (holds.size === 0) listen(false)
  }
}

/** For a page that is left on purpose, whatever stands on it. */
export function letPageGo(): void {
  holds.clear()
  listen(false)
}

function listen(on: boolean): void {
  const change = on ? 'addEventListener' : 'removeEventListener'
  window[change]('beforeunload', onUnload)
  document[change]('click', onClick, true)
}

function onUnload(event: Event): void {
  if (isHeld()) event.preventDefault()
}

/** What another tab opens, or the same address, leaves nothing. */
function onClick(event: Event): void {
  const { target, ctrlKey, metaKey, shiftKey, button } = event as MouseEvent
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
  if (link === null || link.target !== '' || ctrlKey || metaKey || shiftKey || button !== 0) return
  const to = new URL(link.href, location.href)
  // Another origin is left by the browser, which asks by itself.
  if (to.origin !== location.origin || to.pathname + to.search === location.pathname + location.search) return
  if (!isHeld() || confirm('What you typed on this page is not saved. Leave the page?')) return
  event.preventDefault()
  event.stopPropagation()
}
