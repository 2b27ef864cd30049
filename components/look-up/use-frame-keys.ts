import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { isPageKey } from '#components/ui/page-key.ts'
import { frameKeys, GO_KEY, goPlaces } from './keys.ts'

const GO_WITHIN_MS = 1_500

interface FrameKeys {
  readonly open: () => void
  readonly list: () => void
  readonly go: (href: string) => void
}

/**
 * A handled key reaches no other listener: the letter after `g` may mean something on the page. Off while a dialog is
 * open or the session has ended (`inert`).
 */
export function useFrameKeys(frame: RefObject<HTMLElement | null>, on: FrameKeys): void {
  const goUntil = useRef(0)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.repeat || frame.current === null || frame.current.closest('[inert]') !== null) return
    if (document.querySelector('[role="dialog"], [role="alertdialog"]') !== null) return
    const act = actOf(event)
    if (act === null) return
    event.preventDefault()
    event.stopPropagation()
    act()
  })
  const actOf = (event: KeyboardEvent): (() => void) | null => {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event
    if (key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey && !shiftKey) return on.open
    if (!isPageKey(event)) return null
    const going = Date.now() < goUntil.current
    goUntil.current = 0
    const place = going ? goPlaces.find((known) => known.key === key) : undefined
    if (place !== undefined) return () => on.go(place.href)
    if (key === GO_KEY) {
      return () => {
        goUntil.current = Date.now() + GO_WITHIN_MS
      }
    }
    if (key === frameKeys.open.keys[0]) return on.open
    return key === frameKeys.list.keys[0] ? on.list : null
  }
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    // Runs before all other listeners.
    window.addEventListener('keydown', listener, { capture: true })
    return () => window.removeEventListener('keydown', listener, { capture: true })
  }, [])
}
