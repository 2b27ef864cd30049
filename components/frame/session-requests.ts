import { askConsole, SESSION_STATE } from '#components/service/ask-console.ts'
import type { AssignedCases } from '#lib/disputes/unread/assigned-cases.ts'
import type { LivingSession, SessionState } from '#lib/session/session-state.ts'
import { announceOwnCases } from './own-cases.ts'

/** A hanging request must not delay the next. */
const ANSWER_WITHIN_MS = 4_000

/** Also announces the operator's cases. Null when the console did not answer, which does not end the session. */
export async function askSession(): Promise<SessionState | null> {
  const answer = await askConsole(SESSION_STATE, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
  if (answer?.status !== 200) return null
  const state = answer.body as SessionState & { readonly ownCases?: AssignedCases | null }
  if (state.ownCases !== undefined) announceOwnCases(state.ownCases)
  return state
}

/** Null when the report failed. */
export async function reportActivity(): Promise<LivingSession | null> {
  // The key or click may have left the page.
  const answer = await askConsole('/api/session/activity', { method: 'POST', keepalive: true })
  return answer?.status === 200 ? (answer.body as LivingSession) : null
}
