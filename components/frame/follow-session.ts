import { announceSessionBack, announceSessionEnded, onSessionOver } from '#components/service/session-events.ts'
import type { SessionState } from '#lib/session/session-state.ts'

/** Minimum pause after a 401, so that a request that is always refused cannot cause a loop. */
const PAUSE_MS = 3_000

interface Following {
  /** A session of another operator does not count as this session returning. */
  readonly owner: string
  hear(onState: (state: SessionState) => void): () => void
  /** Null when the console did not answer. */
  ask(): Promise<SessionState | null>
  onState(state: SessionState): void
}

export interface FollowedSession {
  /** Resolves to whether the console answered. */
  look(): Promise<boolean>
  stop(): void
}

/**
 * Follows pushed state and asks when the tab becomes visible or after a 401. Also announces a session that ended and
 * returned between two answers.
 */
export function followSession({ owner, hear, ask, onState }: Following): FollowedSession {
  /** Increases with every question and push, so that late answers are ignored. */
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
