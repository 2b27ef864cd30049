'use client'

import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { announceSessionEnded } from '#components/service/session-events.ts'
import { Button } from '#components/ui/button.tsx'
import { cn } from '#components/ui/cn.ts'
import { useSecond } from '#components/values/timestamp.tsx'
import {
  beaconPauseMs,
  countdown,
  type LivingSession,
  type SessionState,
  warnBeforeMs,
} from '#lib/session/session-state.ts'
import { letPageGo } from './leave-guard.ts'
import { SessionEnded, sessionFrame } from './session-ended.tsx'
import { reportActivity } from './session-requests.ts'
import { useArrivalFocus } from './use-arrival-focus.ts'
import { useCopyKey } from './use-copy-key.ts'
import { type SeenSession, useSessionState } from './use-session-state.ts'
import { useStepsShown } from './use-steps-shown.ts'

interface SessionWatchProps {
  initial: LivingSession
  idleMs: number
  className: string
  children: ReactNode
}

/**
 * Reports activity, warns before the session ends, and covers the page afterwards. The page stays mounted, so that the
 * same operator can go on after sign-in.
 */
export function SessionWatch({ initial, idleMs, className, children }: SessionWatchProps) {
  useStepsShown()
  useArrivalFocus()
  useCopyKey()
  const { seen, setSessionState, look } = useSessionState(initial)
  const stay = useActivity({ seen, pauseMs: beaconPauseMs(idleMs), onState: setSessionState, onFailure: look })
  // A later `initial` may belong to another operator.
  const [{ actor: owner, build }] = useState(initial)
  const somebodyElse = seen.signedIn && seen.actor !== owner
  useEffect(() => {
    if (!somebodyElse) return
    // The other operator must not see this page or save its text.
    announceSessionEnded()
    letPageGo()
    window.location.reload()
  }, [somebodyElse])
  const { signedIn } = seen
  const warned = seen.signedIn && seen.msLeft <= warnBeforeMs(idleMs)
  return (
    <>
      <div inert={!signedIn} className={cn(className, !signedIn && 'select-none blur-sm')}>
        {children}
      </div>
      <div aria-live="polite">
        {seen.signedIn ? null : <SessionEnded why={seen.why} onLook={look} />}
        {seen.signedIn && !warned && seen.build !== build ? <NewVersion key={seen.build} /> : null}
        {seen.signedIn && warned ? (
          <SessionWarning endsBy={seen.endsBy} endsAtMs={seen.endsAtMs} onStay={stay} />
        ) : null}
      </div>
    </>
  )
}

/** Chunks that this page has not loaded yet may be gone. */
function NewVersion() {
  const [later, setLater] = useState(false)
  if (later) return null
  return (
    <section aria-label="Version" className={`${sessionFrame} fixed right-4 bottom-4 left-4 ml-auto max-w-96`}>
      <p className="font-semibold">There is a new version of the console</p>
      <p className="mt-0.5 text-secondary-foreground text-sm">Reload the page when it suits you.</p>
      <div className="mt-3 flex gap-2">
        <Button onClick={() => location.reload()}>Reload</Button>
        <Button variant="outline" onClick={() => setLater(true)}>
          Later
        </Button>
      </div>
    </section>
  )
}

interface SessionWarningProps {
  endsBy: 'idle' | 'absolute'
  endsAtMs: number
  onStay: () => void
}

/** Screen readers announce the warning once, not the seconds. */
function SessionWarning({ endsBy, endsAtMs, onStay }: SessionWarningProps) {
  const second = useSecond()
  return (
    <section aria-label="Session" className={`${sessionFrame} fixed right-4 bottom-4 left-4 ml-auto max-w-96`}>
      <div className="flex items-baseline gap-3">
        <p className="font-semibold">Your session ends soon</p>
        <p aria-live="off" className="figures ml-auto text-secondary-foreground">
          {second === null ? null : `in ${countdown(endsAtMs - second * 1000)}`}
        </p>
      </div>
      {endsBy === 'idle' ? (
        <>
          <p className="mt-0.5 text-secondary-foreground text-sm">Nothing was typed or clicked for a while.</p>
          <Button className="mt-3" onClick={onStay}>
            Stay signed in
          </Button>
        </>
      ) : (
        <p className="mt-0.5 text-secondary-foreground text-sm">
          It has lasted as long as a session may. Sign in again when it has ended; you come back to this page.
        </p>
      )}
    </section>
  )
}

const AFTER_FAILURE_MS = 5_000
const USES = ['keydown', 'pointerdown'] as const

interface ActivityOptions {
  seen: SeenSession
  pauseMs: number
  onState: (state: SessionState) => void
  onFailure: () => Promise<unknown>
}

/**
 * Reports trusted key and pointer presses, at most once in `pauseMs` across all tabs. The returned function reports
 * other activity, such as a press by a screen reader.
 */
function useActivity({ seen, pauseMs, onState, onFailure }: ActivityOptions): () => void {
  /** When the server last knew of activity; milliseconds of this browser's clock. */
  const latest = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const stateChanged = useEffectEvent(onState)

  useEffect(() => {
    if (seen.signedIn) latest.current = seen.lastActiveMs
  }, [seen])

  const send = async () => {
    timer.current = undefined
    latest.current = Date.now()
    const state = await reportActivity()
    if (state !== null) return stateChanged(state)
    latest.current = Date.now() - pauseMs + AFTER_FAILURE_MS
    void onFailure()
  }
  const use = () => {
    if (!seen.signedIn) return
    timer.current ??= setTimeout(() => void send(), Math.max(0, latest.current + pauseMs - Date.now()))
  }
  const used = useEffectEvent(use)

  useEffect(() => {
    const onUse = (event: Event) => {
      if (event.isTrusted) used()
    }
    const options = { capture: true, passive: true } as const
    for (const kind of USES) window.addEventListener(kind, onUse, options)
    return () => {
      clearTimeout(timer.current)
      timer.current = undefined
      for (const kind of USES) window.removeEventListener(kind, onUse, options)
    }
  }, [])
  return use
}
