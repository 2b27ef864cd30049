import { useEffect, useRef, useState } from 'react'
import { onSessionEnded } from '#components/service/session-events.ts'

interface Leaving {
  /** Somebody is about to leave and has to answer. */
  readonly asked: boolean
  stay(): void
  leave(): void
}

/**
 * Asks before the page is left, as long as it is used: by a link, by a step through the history, by closing or reloading,
 * where the browser asks in its own words. `onLeave` runs first when the person leaves. Whose session is over is not asked.
 */
export function useAskBeforeLeaving(onLeave: () => void): Leaving {
  const [goOn, setGoOn] = useState<(() => void) | null>(null)
  const leaving = useRef(false)
  useEffect(() => {
    const ask = (event: Event, go: () => void) => {
      event.preventDefault()
      event.stopPropagation()
      setGoOn(() => go)
    }
    const onUnload = (event: Event) => {
      if (!leaving.current) event.preventDefault()
    }
    const onClick = (event: MouseEvent) => {
      const link = leaving.current ? null : linkOf(event)
      if (link === null) return
      // A sheet would lie over the question.
      link.closest<HTMLElement>('[popover]')?.hidePopover()
      ask(event, () => link.click())
    }
    // A browser lets no page stop a second step in a row, so that nobody is caught; nor one to another document, for which
    // it asks itself.
    const onStep = (event: NavigateEvent) => {
      if (leaving.current || event.navigationType !== 'traverse' || !event.cancelable) return
      const { key } = event.destination
      ask(event, () => stepTo(key))
    }
    const steps = 'navigation' in window ? window.navigation : null
    window.addEventListener('beforeunload', onUnload)
    const stopHearing = onSessionEnded(() => {
      leaving.current = true
    })
    document.addEventListener('click', onClick, { capture: true })
    steps?.addEventListener('navigate', onStep)
    return () => {
      window.removeEventListener('beforeunload', onUnload)
      stopHearing()
      document.removeEventListener('click', onClick, { capture: true })
      steps?.removeEventListener('navigate', onStep)
    }
  }, [])
  return {
    asked: goOn !== null,
    stay: () => setGoOn(null),
    leave: () => {
      leaving.current = true
      onLeave()
      goOn?.()
    },
  }
}

/** The link that a click follows away from this page, in this tab. */
function linkOf(event: MouseEvent): HTMLAnchorElement | null {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return null
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (link === null || link.href === '' || link.target === '_blank' || link.hasAttribute('download')) return null
  const { origin, pathname, search } = window.location
  const withinPage = link.hash !== '' && link.href.startsWith(`${origin}${pathname}${search}#`)
  return withinPage ? null : link
}

/** A step that another one overtakes is told by a rejection, and that is no fault. */
function stepTo(key: string): void {
  const { committed, finished } = window.navigation.traverseTo(key)
  for (const end of [committed, finished]) end?.catch(() => {})
}
