const OVER = 'console-session-over'
const ENDED = 'console-session-ended'
const SIGNED_IN = 'console-signed-in'
const BACK = 'console-session-back'

/** Returns a function that stops listening. */
const hear = (event: string) => (listen: () => void) => {
  window.addEventListener(event, listen)
  return () => window.removeEventListener(event, listen)
}

/** Call after a 401; the page then checks whether its session has ended. */
export const announceSessionOver = (): void => void window.dispatchEvent(new Event(OVER))
export const onSessionOver = hear(OVER)

let hasEnded = false

/** Once true, the page sends only session checks. */
export const hasSessionEnded = (): boolean => hasEnded

/** A session exists again in this browser, possibly of another operator. */
export function announceSignedIn(): void {
  if (!hasEnded) return
  hasEnded = false
  window.dispatchEvent(new Event(SIGNED_IN))
}

/** The same operator is signed in again. */
export function announceSessionBack(): void {
  announceSignedIn()
  window.dispatchEvent(new Event(BACK))
}
export const onSessionBack = hear(BACK)

/** The session has ended or belongs to another operator, so data that only this operator may see must be removed. */
export function announceSessionEnded(): void {
  hasEnded = true
  window.dispatchEvent(new Event(ENDED))
}
export const onSessionEnded = hear(ENDED)
