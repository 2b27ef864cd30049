'use client'

import { useEffect, useRef, useState } from 'react'
import { followTopic, newsFor } from '#components/news/news.ts'
import type { EndedSession, LivingSession, SessionState } from '#lib/session/session-state.ts'
import { type FollowedSession, followSession } from './follow-session.ts'
import { askSession } from './session-requests.ts'

/** What the server last said, with its times by this browser's clock. */
export type SeenSession = EndedSession | (LivingSession & { readonly endsAtMs: number; readonly lastActiveMs: number })

function see(state: SessionState): SeenSession {
  if (!state.signedIn) return state
  const now = Date.now()
  return { ...state, endsAtMs: now + state.msLeft, lastActiveMs: now - state.msSinceActive }
}

interface Watched {
  readonly seen: SeenSession
  /** For what the server says without having been asked. */
  readonly setSessionState: (state: SessionState) => void
  /** Asks at once; whether the console answered. */
  readonly look: () => Promise<boolean>
}

/** The session as the server sees it, the only view there is: activity in another tab keeps this one as well. */
export function useSessionState(initial: LivingSession): Watched {
  const [seen, setSeen] = useState(() => see(initial))
  // The first one: a later `initial` may be of whoever has signed in since.
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
