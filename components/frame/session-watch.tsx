'use client'

import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button, buttonVariants } from '#components/ui/button.tsx'
import { cn } from '#components/ui/cn.ts'
import { useSecond } from '#components/values/timestamp.tsx'
import {
  beaconPauseMs,
  countdown,
  type LivingSession,
  type SessionState,
  warnBeforeMs,
} from '#lib/session/session-state.ts'
import { checkSession, reportActivity, SESSION_BACK, SESSION_OVER } from './session-requests.ts'
import { type SeenSession, useSessionState } from './use-session-state.ts'
import { useStepsShown } from './use-steps-shown.ts'

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
  useStepsShown()
  const { seen, setSessionState } = useSessionState(initial)
  const stay = useActivity(seen, beaconPauseMs(idleMs), setSessionState)
  // The first one: a later `initial` may be of whoever has signed in since.
  const [owner] = useState(initial.actor)
  const somebodyElse = seen.signedIn && seen.actor !== owner
  useEffect(() => {
    if (!somebodyElse) return
    // Nothing that stands here is theirs.
    window.dispatchEvent(new Event(SESSION_OVER))
    window.location.reload()
  }, [somebodyElse])
  const { signedIn } = seen
  const ended = useRef(false)
  useEffect(() => {
    if (!signedIn) window.dispatchEvent(new Event(SESSION_OVER))
    else if (ended.current) window.dispatchEvent(new Event(SESSION_BACK))
    ended.current = !signedIn
  }, [signedIn])
  return (
    <>
      <div inert={!signedIn} className={cn(className, !signedIn && 'select-none blur-sm')}>
        {children}
      </div>
      <div aria-live="polite">
        {signedIn ? null : <SessionEnded />}
        {seen.signedIn && seen.msLeft <= warnBeforeMs(idleMs) ? (
          <SessionWarning endsBy={seen.endsBy} endsAtMs={seen.endsAtMs} onStay={stay} />
        ) : null}
      </div>
    </>
  )
}

const frame = 'pointer-events-auto z-60 rounded-lg border border-attention/45 bg-card p-4 shadow-[var(--lift)]'

interface SessionWarningProps {
  endsBy: 'idle' | 'absolute'
  endsAtMs: number
  onStay: () => void
}

/** Said once, quietly; the seconds are for those who look. */
function SessionWarning({ endsBy, endsAtMs, onStay }: SessionWarningProps) {
  const second = useSecond()
  return (
    <section aria-label="Session" className={`${frame} fixed right-4 bottom-4 left-4 ml-auto max-w-96`}>
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

/** Leads to sign-in and back to this very address; a new tab leaves this page, and what is typed on it, as it is. */
function SessionEnded() {
  const here = window.location.pathname + window.location.search
  return (
    <Focused>
      <p className="font-semibold text-lg">Your session is over</p>
      <p className="mt-0.5 text-secondary-foreground text-sm">Sign in again; you come back to this page.</p>
      <p className="mt-3 flex flex-wrap items-center gap-3">
        <a href={`/sign-in?${new URLSearchParams({ why: 'ended', to: here })}`} className={buttonVariants()}>
          Sign in again
        </a>
        <a
          href="/sign-in"
          target="_blank"
          rel="noreferrer"
          className="text-primary text-sm underline underline-offset-4"
        >
          Sign in in a new tab
        </a>
      </p>
      <p className="mt-2 text-muted-foreground text-xs">
        When you have signed in in a new tab, come back: this page is as you left it.
      </p>
    </Focused>
  )
}

/** Takes the focus, which the covered page has lost, and gives it back. */
function Focused({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const before = document.activeElement
    box.current?.focus()
    return () => {
      // The page is uncovered in the same moment, so it can take the focus only after it.
      if (before instanceof HTMLElement) queueMicrotask(() => before.focus())
    }
  }, [])
  return (
    <div
      ref={box}
      role="alert"
      tabIndex={-1}
      className={`${frame} fixed inset-x-4 top-[14vh] mx-auto max-w-md outline-none`}
    >
      {children}
    </div>
  )
}

const AFTER_FAILURE_MS = 5_000
const USES = ['keydown', 'pointerdown'] as const

/**
 * Reports real key presses and pointer presses to the server, at most once in `pauseMs` for all tabs; what comes during a
 * pause is reported at its end. Answers a function that reports activity of another kind: a press by a screen reader.
 */
function useActivity(seen: SeenSession, pauseMs: number, onState: (state: SessionState) => void): () => void {
  /** When the server last knew of activity, by this browser's clock: by its own word, or since it was last told. */
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
    checkSession()
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
