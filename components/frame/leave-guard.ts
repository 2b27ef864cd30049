/** Something on the page that leaving it would lose. */
interface Hold {
  /** Asked anew each time. */
  readonly holds: () => boolean
  /** Asks in a dialog of the page's own, and calls `leave` if the person agrees. Without it the browser's dialog asks. */
  readonly ask?: (leave: () => void) => void
}

const held = new Set<Hold>()

const holding = (): Hold | undefined => {
  const all = [...held].filter(({ holds }) => holds())
  return all.find(({ ask }) => ask !== undefined) ?? all[0]
}

/** Whether leaving the page would lose something. */
export const isHeld = (): boolean => holding() !== undefined

/**
 * As long as `holds` answers true, leaving the page asks first: for another address, a reload or the tab's end in the
 * browser's own words; for a link within the console or a step through the history as the hold says. Answers how to let go.
 */
export function holdPage(hold: Hold): () => void {
  if (held.size === 0) listen(true)
  held.add(hold)
  return () => {
    held.delete(hold)
    if (held.size === 0) listen(false)
  }
}

/** For a page that is left on purpose, whatever stands on it. */
export function letPageGo(): void {
  held.clear()
  listen(false)
}

function listen(on: boolean): void {
  const change = on ? 'addEventListener' : 'removeEventListener'
  window[change]('beforeunload', onUnload)
  document[change]('click', onClick, true)
  if ('navigation' in window) window.navigation[change]('navigate', onStep as EventListener)
}

function onUnload(event: Event): void {
  if (isHeld()) event.preventDefault()
}

function onClick(event: Event): void {
  const link = linkOf(event as MouseEvent)
  const hold = link && holding()
  if (!hold) return
  // A sheet would lie over the question.
  link.closest<HTMLElement>('[popover]')?.hidePopover()
  stopUnlessAgreed(event, hold, () => link.click())
}

/** A browser lets no page stop a second step in a row; for a step to another document it asks by itself. */
function onStep(event: NavigateEvent): void {
  const hold = event.navigationType === 'traverse' && event.cancelable && holding()
  if (!hold) return
  const { key } = event.destination
  stopUnlessAgreed(event, hold, () => stepTo(key))
}

function stopUnlessAgreed(event: Event, { ask }: Hold, again: () => void): void {
  if (ask === undefined && confirm('What you typed on this page is not saved. Leave the page?')) return
  event.preventDefault()
  event.stopPropagation()
  ask?.(() => {
    letPageGo()
    again()
  })
}

/** The link by which a click leaves this page, in this tab. Another origin is left by the browser, which asks by itself. */
function linkOf({ target, ctrlKey, metaKey, shiftKey, altKey, button }: MouseEvent): HTMLAnchorElement | null {
  if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey || !(target instanceof Element)) return null
  const link = target.closest<HTMLAnchorElement>('a[href]')
  if (link === null || link.target !== '' || link.hasAttribute('download')) return null
  const to = new URL(link.href, location.href)
  const isHere = to.pathname + to.search === location.pathname + location.search
  return to.origin !== location.origin || isHere ? null : link
}

/** A step that another one overtakes is told by a rejection, and that is no fault. */
function stepTo(key: string): void {
  const { committed, finished } = window.navigation.traverseTo(key)
  for (const end of [committed, finished]) end?.catch(() => {})
}
