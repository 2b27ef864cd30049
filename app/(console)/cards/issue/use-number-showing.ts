import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { onSessionEnded } from '#components/service/session-events.ts'
import { useSecond } from '#components/values/timestamp.tsx'
import type { NumberEnd } from './issued-card.tsx'
import { beginShowing, extendShowing, type NumberShowing, secondsLeft } from './number-showing.ts'

export const SHOW_KEY = 's'

/** Elements in which the key means something else. */
const OTHER_USES = 'input, textarea, select, [contenteditable], [role="dialog"], [popover]'

const nobodyIsThere = (): boolean => document.visibilityState === 'hidden' || !document.hasFocus()

interface ShownNumber {
  readonly showing: NumberShowing
  readonly left: number
  /** The element for the digits. It must contain nothing else, because masking empties it. */
  readonly digits: RefObject<HTMLSpanElement | null>
  show(): void
  extend(): void
}

/**
 * Masks the number when the window loses the focus or the page is hidden. Ends the showing when the time is over, the
 * page is left, or the session ends. `onShow` runs when the number is unmasked.
 */
export function useNumberShowing(onEnd: (how: NumberEnd) => void, onShow: () => void): ShownNumber {
  const [showing, setShowing] = useState(() => beginShowing(Date.now(), nobodyIsThere()))
  const digits = useRef<HTMLSpanElement>(null)
  const second = useSecond() ?? 0
  const left = secondsLeft(showing, second * 1000)
  const end = useEffectEvent(onEnd)
  const show = () => {
    // The page's clock may pause while the page is hidden.
    if (secondsLeft(showing, Date.now()) === 0) return
    onShow()
    setShowing((now) => ({ ...now, masked: false }))
  }
  const over = left === 0
  useEffect(() => {
    if (over) end('time')
  }, [over])
  useEffect(() => {
    // Empties the element synchronously, because the browser may save the page in its back/forward cache before the
    // next render.
    const empty = () => digits.current?.replaceChildren()
    const mask = () => {
      empty()
      setShowing((now) => ({ ...now, masked: true }))
    }
    const hidden = () => {
      if (document.visibilityState === 'hidden') mask()
    }
    const putAway = () => {
      empty()
      end('left')
    }
    window.addEventListener('blur', mask)
    document.addEventListener('visibilitychange', hidden)
    window.addEventListener('pagehide', putAway)
    const stopHearing = onSessionEnded(() => end('session'))
    return () => {
      window.removeEventListener('blur', mask)
      document.removeEventListener('visibilitychange', hidden)
      window.removeEventListener('pagehide', putAway)
      stopHearing()
    }
  }, [])
  useShowKey(showing.masked, show)
  return { showing, left, digits, show, extend: () => setShowing(extendShowing) }
}

function useShowKey(masked: boolean, onKey: () => void): void {
  const pressed = useEffectEvent(onKey)
  useEffect(() => {
    if (!masked) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== SHOW_KEY || event.ctrlKey || event.metaKey || event.altKey) return
      if (document.activeElement?.closest(OTHER_USES)) return
      event.preventDefault()
      pressed()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [masked])
}
