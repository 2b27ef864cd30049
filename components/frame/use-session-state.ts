'use client'

import { useEffect, useState } from 'react'
import type { LivingSession, SessionState } from '#lib/session/session-state.ts'
import { askSession, CHECK_SESSION } from './session-requests.ts'

/** A session that is ended elsewhere shows here within five seconds. */
const LOOK_EVERY_MS = 3_000

/** What the server last said, with its times by this browser's clock. */
export type SeenSession =
  | { readonly signedIn: false }
  | (LivingSession & { readonly endsAtMs: number; readonly lastActiveMs: number })

function see(state: SessionState): SeenSession {
  if (!state.signedIn) return state
  const now = Date.now()
  return { ...state, endsAtMs: now + state.msLeft, lastActiveMs: now - state.msSinceActive }
}

interface Watched {
  readonly seen: SeenSession
  /** For what the server says without having been asked. */
  readonly setSessionState: (state: SessionState) => void
}

/**
 * Asks the server about the session every few seconds while the page can be seen, and at once when it can be seen again.
 * The server's view is the only one: activity in another tab keeps this one as well.
 */
export function useSessionState(initial: LivingSession): Watched {
  const [seen, setSeen] = useState(() => see(initial))
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let left = false
    const look = async () => {
      clearTimeout(timer)
      if (document.visibilityState !== 'visible') return
      const state = await askSession()
      if (left) return
      if (state !== null) setSeen(see(state))
      clearTimeout(timer)
      timer = setTimeout(look, LOOK_EVERY_MS)
    }
    const checkNow = () => void look()
    timer = setTimeout(look, LOOK_EVERY_MS)
    document.addEventListener('visibilitychange', checkNow)
    window.addEventListener(CHECK_SESSION, checkNow)
    return () => {
      left = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', checkNow)
      window.removeEventListener(CHECK_SESSION, checkNow)
    }
  }, [])
  return { seen, setSessionState: (state) => setSeen(see(state)) }
}
