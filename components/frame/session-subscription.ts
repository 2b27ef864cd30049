import { announceSessionBack, announceSessionEnded, onSessionOver } from '#components/service/session-events.ts'
import type { SessionState } from '#lib/session/session-state.ts'

/** Minimum pause after a 401, so that a request that is always refused cannot cause a loop. */
const PAUSE_MS = 3_000

interface SessionOptions {
  /** A session of another operator does not count as this session returning. */
  readonly owner: string
  listen(onState: (state: SessionState) => void): () => void
  /** Null when the console did not answer. */
  read(): Promise<SessionState | null>
  onState(state: SessionState): void
}

export interface SessionSubscription {
  /** Resolves to whether the console answered. `ask` may also change the session. */
  refresh(ask?: () => Promise<SessionState | null>): Promise<boolean>
  stop(): void
}

/** Receives pushed state; reads it when the tab becomes visible or after a 401. Announces a session's return. */
export function subscribeToSession({ owner, listen, read, onState }: SessionOptions): SessionSubscription {
  /** Increases with every read and push, so that late answers are ignored. */
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
  const refresh = async (ask = read): Promise<boolean> => {
    round += 1
    const mine = round
    const state = await ask()
    if (mine === round && state !== null) take(state)
    return state !== null
  }
  const refreshIfVisible = () => {
    if (document.visibilityState === 'visible') void refresh()
  }
  const stopSessionOver = onSessionOver(() => {
    over = true
    if (performance.now() - backAt > PAUSE_MS) refreshIfVisible()
  })
  const stopListening = listen(take)
  document.addEventListener('visibilitychange', refreshIfVisible)
  return {
    refresh,
    stop() {
      round += 1
      stopListening()
      document.removeEventListener('visibilitychange', refreshIfVisible)
      stopSessionOver()
    },
  }
}
