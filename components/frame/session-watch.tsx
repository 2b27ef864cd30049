'use client'

import { type ReactNode, useEffect, useState } from 'react'
import { classes } from '#components/ui/classes.ts'
import { beaconPauseMs, type LivingSession, warnBeforeMs } from '#lib/domain/session-state.ts'
import { SessionEnded, SessionWarning } from './session-notice.tsx'
import { useActivity } from './use-activity.ts'
import { useSessionState } from './use-session-state.ts'

interface SessionWatchProps {
  /** As it was when the server made this page. */
  initial: LivingSession
  idleMs: number
  className: string
  children: ReactNode
}

/**
 * The frame of a signed-in page: tells the server of activity, says when the session is about to end, and covers the page
 * when it has ended. What stands on the page stays, for when the same person signs in again.
 */
export function SessionWatch({ initial, idleMs, className, children }: SessionWatchProps) {
  const { seen, tell } = useSessionState(initial)
  const stay = useActivity(seen, beaconPauseMs(idleMs), tell)
  // The first one: a later `initial` may be of whoever has signed in since.
  const [owner] = useState(initial.actor)
  const somebodyElse = seen.signedIn && seen.actor !== owner
  useEffect(() => {
    // Nothing that stands here is theirs.
    if (somebodyElse) window.location.reload()
  }, [somebodyElse])
  return (
    <>
      <div inert={!seen.signedIn} className={classes(className, !seen.signedIn && 'select-none blur-sm')}>
        {children}
      </div>
      <div aria-live="polite">
        {seen.signedIn ? null : <SessionEnded />}
        {seen.signedIn && seen.msLeft <= warnBeforeMs(idleMs) ? (
          <SessionWarning endsBy={seen.endsBy} endsAtMs={seen.endsAtMs} onStay={stay} />
        ) : null}
      </div>
    </>
  )
}
