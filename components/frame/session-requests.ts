import type { LivingSession, SessionState } from '#lib/session/session-state.ts'

const own = { headers: { 'x-console': '1' }, cache: 'no-store' } as const

/** What the server says of the session; null when the console did not answer, which ends nothing. */
export async function askSession(): Promise<SessionState | null> {
  try {
    const response = await fetch('/api/session/state', own)
    return response.ok ? ((await response.json()) as SessionState) : null
  } catch {
    return null
  }
}

/** Tells of a key or a pointer that was used; null when that could not be taken. */
export async function reportActivity(): Promise<LivingSession | null> {
  try {
    // It arrives even if the key or the click has just left the page.
    const response = await fetch('/api/session/activity', { ...own, method: 'POST', keepalive: true })
    return response.ok ? ((await response.json()) as LivingSession) : null
  } catch {
    return null
  }
}

/** Sent by whatever meets the end of the session first; the watch then looks at once. */
export const CHECK_SESSION = 'console:look-at-session'

export const checkSession = (): void => void window.dispatchEvent(new Event(CHECK_SESSION))

/** Sent when the session that had ended on this page is back: its person has signed in elsewhere. */
export const SESSION_BACK = 'console:session-back'

/** Sent when the page stays and its person's session is over: what only they may see must go. */
export const SESSION_OVER = 'console:session-over'
