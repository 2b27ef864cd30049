import { askConsole, SESSION_STATE } from '#components/service/ask-console.ts'
import type { OwnCases } from '#lib/disputes/unread/own-cases.ts'
import type { LivingSession, SessionState } from '#lib/session/session-state.ts'
import { announceOwnCases } from './own-cases.ts'

/** The next question comes soon; one that hangs must not hold it off. */
const ANSWER_WITHIN_MS = 4_000

/** What the server says of the session; null when the console did not answer, which ends nothing. Tells of own cases. */
export async function askSession(): Promise<SessionState | null> {
  const answer = await askConsole(SESSION_STATE, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
  if (answer?.status !== 200) return null
  const state = answer.body as SessionState & { readonly ownCases?: OwnCases | null }
  if (state.ownCases !== undefined) announceOwnCases(state.ownCases)
  return state
}

/** Tells of a key or a pointer that was used; null when that could not be taken. */
export async function reportActivity(): Promise<LivingSession | null> {
  // It arrives even if the key or the click has just left the page.
  const answer = await askConsole('/api/session/activity', { method: 'POST', keepalive: true })
  return answer?.status === 200 ? (answer.body as LivingSession) : null
}
