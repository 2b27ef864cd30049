const OVER = 'console-session-over'
const ENDED = 'console-session-ended'
const BACK = 'console-session-back'

/** Answers how to stop listening. */
const hear = (event: string) => (listen: () => void) => {
  window.addEventListener(event, listen)
  return () => window.removeEventListener(event, listen)
}

/** Told by whatever is refused for want of a session: the page then asks at once whether it has ended. */
export const announceSessionOver = (): void => void window.dispatchEvent(new Event(OVER))
export const onSessionOver = hear(OVER)

/** Told when the same person is signed in again after something on this page was refused for want of a session. */
export const announceSessionBack = (): void => void window.dispatchEvent(new Event(BACK))
export const onSessionBack = hear(BACK)

/** Told when the console has said that nobody, or somebody else, is signed in: what this person alone may see has to go. */
export const announceSessionEnded = (): void => void window.dispatchEvent(new Event(ENDED))
export const onSessionEnded = hear(ENDED)
