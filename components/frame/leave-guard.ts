interface Hold {
  readonly holds: () => boolean
  /** Calls `leave` if the operator agrees. Without it, `confirm` asks. */
  readonly ask?: (leave: () => void) => void
}

const held = new Set<Hold>()

const holding = (): Hold | undefined => {
  const all = [...held].filter(({ holds }) => holds())
  return all.find(({ ask }) => ask !== undefined) ?? all[0]
}

export const isUnloadGuarded = (): boolean => holding() !== undefined

export const mayDropText = (): boolean => !isUnloadGuarded() || confirm('Your text is not saved. Discard it?')

/** Asks before leaving while `holds`: the browser's dialog for reloads, closed tabs and other origins, else `ask`. */
export function guardUnload(hold: Hold): () => void {
  if (held.size === 0) listen(true)
  held.add(hold)
  return () => {
    held.delete(hold)
    if (held.size === 0) listen(false)
  }
}

/** Drops every hold, for leaving on purpose. */
export function releaseUnloadGuards(): void {
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
  if (isUnloadGuarded()) event.preventDefault()
}

function onClick(event: Event): void {
  const link = linkOf(event as MouseEvent)
  const hold = link && holding()
  if (!hold) return
  link.closest<HTMLElement>('[popover]')?.hidePopover()
  stopUnlessAgreed(event, hold, () => link.click())
}

/** Browsers do not let a page cancel two history steps in a row. */
function onStep(event: NavigateEvent): void {
  const hold = event.navigationType === 'traverse' && event.cancelable && holding()
  if (!hold) return
  const { key } = event.destination
  stopUnlessAgreed(event, hold, () => stepTo(key))
}

function stopUnlessAgreed(event: Event, hold: Hold, again: () => void): void {
  const { ask } = hold
  if (ask === undefined && confirm('Not everything on this page is saved. Leave the page?')) return
  event.preventDefault()
  event.stopPropagation()
  ask?.(() => {
    held.delete(hold)
    again()
  })
}

/** Null for another origin, where the browser asks. */
function linkOf({ target, ctrlKey, metaKey, shiftKey, altKey, button }: MouseEvent): HTMLAnchorElement | null {
  if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey || !(target instanceof Element)) return null
  const link = target.closest<HTMLAnchorElement>('a[href]')
  if (link === null || link.target !== '' || link.hasAttribute('download')) return null
  const to = new URL(link.href, location.href)
  const isHere = to.pathname + to.search === location.pathname + location.search
  return to.origin !== location.origin || isHere ? null : link
}

/** An overtaken step rejects; that is not an error. */
function stepTo(key: string): void {
  const { committed, finished } = window.navigation.traverseTo(key)
  for (const end of [committed, finished]) end?.catch(() => {})
}
