'use client'

import { useEffect, useRef, useState } from 'react'
import { followTopic, newsFor } from '#components/news/news.ts'
import type { EndedSession, LivingSession, SessionState } from '#lib/session/session-state.ts'
import { type FollowedSession, followSession } from './follow-session.ts'
import { askSession } from './session-requests.ts'

/** Times in milliseconds of this browser's clock. */
export type SeenSession = EndedSession | (LivingSession & { readonly endsAtMs: number; readonly lastActiveMs: number })

function see(state: SessionState): SeenSession {
  if (!state.signedIn) return state
  const now = Date.now()
  return { ...state, endsAtMs: now + state.msLeft, lastActiveMs: now - state.msSinceActive }
}

interface Watched {
  readonly seen: SeenSession
  /** For pushed state. */
  readonly setSessionState: (state: SessionState) => void
  /** Resolves to whether the console answered. */
  readonly look: () => Promise<boolean>
}

/** Only the server's view counts: activity in another tab extends the session too. */
export function useSessionState(initial: LivingSession): Watched {
  const [seen, setSeen] = useState(() => see(initial))
  // A later `initial` may belong to another operator.
  const [owner] = useState(initial.actor)
  const followed = useRef<FollowedSession | null>(null)
  useEffect(() => {
    newsFor(owner)
    const hear = (onState: (state: SessionState) => void) =>
      followTopic<SessionState>('session', (told) => (told.ok ? onState(told.value) : undefined), { whenHidden: true })
    const following = followSession({ owner, hear, ask: askSession, onState: (state) => setSeen(see(state)) })
    followed.current = following
    return following.stop
  }, [owner])
  return {
    seen,
    setSessionState: (state) => setSeen(see(state)),
    look: async () => (await followed.current?.look()) ?? false,
  }
}
