import { announceSessionBack, onSessionOver } from '#components/service/session-events.ts'
import type { SessionState } from '#lib/session/session-state.ts'

/** A session that is ended elsewhere shows here within five seconds, and so does one that is back. */
const LOOK_EVERY_MS = 3_000

interface Following {
  /** Whose page it is: the session of somebody else is not this page's session that is back. */
  readonly owner: string
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
 * Asks about the session every few seconds while the page can be seen, at once when it can be seen again, and at once when
 * something was refused for want of a session. Says so to the whole page when the session is back: also one that ended and
 * came back between two questions.
 */
export function followSession({ owner, ask, onState }: Following): FollowedSession {
  let timer: ReturnType<typeof setTimeout> | undefined
  /** Goes up with every question: only the latest one is heard. */
  let round = 0
  let over = false
  let backAt = Number.NEGATIVE_INFINITY
  const look = async (): Promise<boolean> => {
    clearTimeout(timer)
    round += 1
    const mine = round
    const state = await ask()
    if (mine !== round) return state !== null
    timer = setTimeout(lookIfSeen, LOOK_EVERY_MS)
    if (state === null) return false
    onState(state)
    if (!state.signedIn) over = true
    else if (over && state.actor === owner) {
      over = false
      backAt = performance.now()
      announceSessionBack()
    }
    return true
  }
  const lookIfSeen = () => {
    if (document.visibilityState === 'visible') void look()
  }
  const stopHearing = onSessionOver(() => {
    over = true
    // What is refused again and again, with a session, is no reason to ask without a pause.
    if (performance.now() - backAt > LOOK_EVERY_MS) lookIfSeen()
  })
  timer = setTimeout(lookIfSeen, LOOK_EVERY_MS)
  document.addEventListener('visibilitychange', lookIfSeen)
  return {
    look,
    stop() {
      round += 1
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', lookIfSeen)
      stopHearing()
    },
  }
}
