import { announceSessionBack, announceSessionEnded, onSessionOver } from '#components/service/session-events.ts'
import type { SessionState } from '#lib/session/session-state.ts'

/** What is refused again and again, with a session, is no reason to ask without a pause. */
const PAUSE_MS = 3_000

interface Following {
  /** Whose page it is: the session of somebody else is not this page's session that is back. */
  readonly owner: string
  /** Hears what the console tells by itself; answers how to stop. */
  hear(onState: (state: SessionState) => void): () => void
  /** Null when the console did not answer. */
  ask(): Promise<SessionState | null>
  onState(state: SessionState): void
}

export interface FollowedSession {
  /** Asks at once; whether the console answered. */
  look(): Promise<boolean>
  stop(): void
}

/**
 * Hears of the session as it changes, and asks about it at once when the page can be seen again, and when something was
 * refused for want of a session. Says so to the whole page when the session is back: also one that ended and came back
 * meanwhile.
 */
export function followSession({ owner, hear, ask, onState }: Following): FollowedSession {
  /** Goes up with every question, and with what is told: only the latest is heard. */
  let round = 0
  let over = false
  let backAt = Number.NEGATIVE_INFINITY
  const take = (state: SessionState): void => {
    round += 1
    onState(state)
    if (!state.signedIn) {
      over = true
      announceSessionEnded()
    } else if (over && state.actor === owner) {
      over = false
      backAt = performance.now()
      announceSessionBack()
    }
  }
  const look = async (): Promise<boolean> => {
    round += 1
    const mine = round
    const state = await ask()
    if (mine === round && state !== null) take(state)
    return state !== null
  }
  const lookIfSeen = () => {
    if (document.visibilityState === 'visible') void look()
  }
  const stopHearing = onSessionOver(() => {
    over = true
    if (performance.now() - backAt > PAUSE_MS) lookIfSeen()
  })
  const stopNews = hear(take)
  document.addEventListener('visibilitychange', lookIfSeen)
  return {
    look,
    stop() {
      round += 1
      stopNews()
      document.removeEventListener('visibilitychange', lookIfSeen)
      stopHearing()
    },
  }
}
