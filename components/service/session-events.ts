const OVER = 'console-session-over'
const ENDED = 'console-session-ended'
const SIGNED_IN = 'console-signed-in'
const BACK = 'console-session-back'

/** Answers how to stop listening. */
const hear = (event: string) => (listen: () => void) => {
  window.addEventListener(event, listen)
  return () => window.removeEventListener(event, listen)
}

/** Told by whatever is refused for want of a session: the page then asks at once whether it has ended. */
export const announceSessionOver = (): void => void window.dispatchEvent(new Event(OVER))
export const onSessionOver = hear(OVER)

let hasEnded = false

/** Whether this page knows that its session has ended. Then it asks the console only whether somebody is signed in. */
export const hasSessionEnded = (): boolean => hasEnded

/** Somebody is signed in again in this browser, perhaps somebody else. */
export function announceSignedIn(): void {
  if (!hasEnded) return
  hasEnded = false
  window.dispatchEvent(new Event(SIGNED_IN))
}

/** The same person is signed in again, after a request of this page was refused for lack of a session. */
export function announceSessionBack(): void {
  announceSignedIn()
  window.dispatchEvent(new Event(BACK))
}
export const onSessionBack = hear(BACK)

/** The console said that nobody, or somebody else, is signed in: data that only this person may see must go. */
export function announceSessionEnded(): void {
  hasEnded = true
  window.dispatchEvent(new Event(ENDED))
}
export const onSessionEnded = hear(ENDED)
