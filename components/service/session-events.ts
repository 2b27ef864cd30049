import { useRouter } from 'next/navigation'
import { useCallback, useEffect, useEffectEvent } from 'react'

const OVER = 'console-session-over'
const ENDED = 'console-session-ended'
const SIGNED_IN = 'console-signed-in'
const BACK = 'console-session-back'
const REFRESH_HELD = 'console-refresh-held'

const hear = (event: string) => (listen: () => void) => {
  window.addEventListener(event, listen)
  return () => window.removeEventListener(event, listen)
}

/** Call after a 401; the page then checks its session. */
export const announceSessionOver = (): void => void window.dispatchEvent(new Event(OVER))
export const onSessionOver = hear(OVER)

let hasEnded = false

/** While true, the page sends only session checks. */
export const hasSessionEnded = (): boolean => hasEnded

/** The new session may belong to another operator. */
export function announceSignedIn(): void {
  if (!hasEnded) return
  hasEnded = false
  window.dispatchEvent(new Event(SIGNED_IN))
}

/** The new session belongs to the same operator. */
export function announceSessionBack(): void {
  announceSignedIn()
  window.dispatchEvent(new Event(BACK))
}
export const onSessionBack = hear(BACK)

/** Data that only this operator may see must be removed. */
export function announceSessionEnded(): void {
  hasEnded = true
  window.dispatchEvent(new Event(ENDED))
}
export const onSessionEnded = hear(ENDED)

export function useSessionBack(goOn: () => void): void {
  const back = useEffectEvent(goOn)
  useEffect(() => onSessionBack(() => back()), [])
}

let isOutdated = false

/** With another build, Next would load the whole page again. */
export function holdRefreshes(outdated: boolean): void {
  isOutdated = outdated
}
export const onRefreshHeld = hear(REFRESH_HELD)

/** Offers the reload that another build needs, and never makes it. */
export function useAutomaticRefresh(): () => void {
  const router = useRouter()
  return useCallback(() => {
    if (isOutdated) window.dispatchEvent(new Event(REFRESH_HELD))
    else if (!hasEnded) router.refresh()
  }, [router])
}
