'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { askConsole, SESSION_STATE } from '#components/service/ask-console.ts'
import { announceSessionEnded, holdRefreshes, onRefreshHeld } from '#components/service/session-events.ts'
import { setStreamOwner, subscribe } from '#components/stream/subscribe.ts'
import { Button } from '#components/ui/button.tsx'
import { cn } from '#components/ui/cn.ts'
import { useKeyDown } from '#components/ui/kbd.tsx'
import { steadyNowMs, useSecond } from '#components/values/timestamp.tsx'
import type { AssignedCases } from '#lib/disputes/unread/assigned-cases.ts'
import {
  beaconPauseMs,
  countdown,
  type EndedSession,
  type LivingSession,
  type SessionState,
  warnBeforeMs,
} from '#lib/session/session-state.ts'
import { announceAssignedCases } from './assigned-cases.tsx'
import { releaseUnloadGuards } from './leave-guard.ts'
import { SessionEnded, sessionFrame } from './session-ended.tsx'
import { type SessionSubscription, subscribeToSession } from './session-subscription.ts'

interface SessionWatchProps {
  initial: LivingSession
  idleMs: number
  className: string
  children: ReactNode
}

/** Covers the page after the session's end. It stays mounted, so that the same operator can go on after sign-in. */
export function SessionWatch({ initial, idleMs, className, children }: SessionWatchProps) {
  useStepsShown()
  useArrivalFocus()
  useCopyKey()
  const { seen, refresh } = useSessionState(initial)
  const stay = useActivity({ seen, pauseMs: beaconPauseMs(idleMs), refresh })
  // A later `initial` may belong to another operator.
  const [{ actor: owner, build }] = useState(initial)
  const isOtherOperator = seen.signedIn && seen.actor !== owner
  useEffect(() => {
    if (!isOtherOperator) return
    // The other operator must not see this page or save its text.
    announceSessionEnded()
    releaseUnloadGuards()
    window.location.reload()
  }, [isOtherOperator])
  const { signedIn } = seen
  const warned = seen.signedIn && seen.msLeft <= warnBeforeMs(idleMs)
  return (
    <>
      <div inert={!signedIn} className={cn(className, !signedIn && 'select-none blur-sm')}>
        {children}
      </div>
      <div aria-live="polite" data-notices>
        {seen.signedIn ? null : <SessionEnded why={seen.why} onLook={refresh} />}
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
  useEffect(() => onRefreshHeld(() => setLater(false)), [])
  if (later) return null
  return (
    <section aria-label="Version" className={`${sessionFrame} fixed right-4 bottom-4 left-4 ml-auto max-w-96`}>
      <p className="font-semibold">A new version of the console is available</p>
      <p className="mt-0.5 text-secondary-foreground text-sm">
        Reload the page when convenient. Until then it may be out of date.
      </p>
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
          <p className="mt-0.5 text-secondary-foreground text-sm">You have been inactive for a while.</p>
          <Button className="mt-3" onClick={onStay}>
            Stay signed in
          </Button>
        </>
      ) : (
        <p className="mt-0.5 text-secondary-foreground text-sm">
          Maximum session length. Sign in again afterwards to return to this page.
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
  refresh: SessionSubscription['refresh']
}

/** Reports trusted presses, at most once in `pauseMs` across all tabs. Returns a function for other activity. */
function useActivity({ seen, pauseMs, refresh }: ActivityOptions): () => void {
  /** When the server last knew of activity; milliseconds of the steady clock. */
  const latest = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  useEffect(() => {
    if (seen.signedIn) latest.current = seen.lastActiveMs
  }, [seen])

  const send = async () => {
    timer.current = undefined
    latest.current = steadyNowMs()
    if (await refresh(reportActivity)) return
    latest.current = steadyNowMs() - pauseMs + AFTER_FAILURE_MS
    void refresh()
  }
  const use = () => {
    if (!seen.signedIn) return
    timer.current ??= setTimeout(() => void send(), Math.max(0, latest.current + pauseMs - steadyNowMs()))
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

/** Some content loads after the page. */
const SHOWN_WITHIN_MS = 5_000
const HEAD = 'h1'
/** Where the operator continues on a page without a focused field. */
const ARRIVAL = '[data-arrival]'
const PLACES_MAX = 100

/** By address: a selector of the element that last had the focus. */
const leftAt = new Map<string, string>()

/** After a history step, focus returns to where it was, or `data-arrival`, or the heading, unless the page set it. */
function useArrivalFocus(): void {
  const address = `${usePathname()}?${useSearchParams()}`
  const arrived = useRef(address)
  /** `mark` is read before the page can focus another field. */
  const step = useRef<{ readonly to: string; readonly mark: string | undefined } | null>(null)

  useEffect(() => {
    const onStep = () => {
      step.current = { to: here(), mark: leftAt.get(here()) }
    }
    const left = new AbortController()
    document.addEventListener('focusin', remember, { signal: left.signal })
    window.addEventListener('popstate', onStep, { signal: left.signal })
    return () => left.abort()
  }, [])

  useEffect(() => {
    if (arrived.current === address) return
    arrived.current = address
    const mark = step.current?.to === here() ? step.current.mark : undefined
    step.current = null
    if (mark === undefined && hasFocusInPage()) return
    return focusWhenThere(mark ?? ARRIVAL)
  }, [address])
}

const here = (): string => window.location.pathname + window.location.search

const page = (): HTMLElement | null => document.getElementById('main')

/** The focused link in the rail or the bar does not count. */
const hasFocusInPage = (): boolean => {
  const { activeElement } = document
  return activeElement !== page() && page()?.contains(activeElement) === true
}

function remember(): void {
  const { activeElement } = document
  const mark = activeElement !== null && hasFocusInPage() ? markOf(activeElement) : null
  if (mark === null) return
  leftAt.delete(here())
  leftAt.set(here(), mark)
  const [oldest = ''] = leftAt.keys()
  if (leftAt.size > PLACES_MAX) leftAt.delete(oldest)
}

function markOf(element: Element): string | null {
  const href = element.getAttribute('href')
  if (href !== null) return `a[href="${CSS.escape(href)}"]`
  const name = element.getAttribute('name')
  return name === null ? null : `[name="${CSS.escape(name)}"]`
}

const find = (mark: string): HTMLElement | null => page()?.querySelector<HTMLElement>(mark) ?? null

/** Focuses the heading until the marked element exists. Stops when the focus moves. */
function focusWhenThere(mark: string): () => void {
  let given = document.activeElement
  const settle = (): boolean => {
    const { activeElement } = document
    if (activeElement !== given && activeElement !== document.body) return true
    const wanted = find(mark)
    const target = wanted ?? (hasFocusInPage() ? null : find(HEAD))
    if (target === null) return false
    if (target !== given) {
      target.focus({ preventScroll: true })
      given = document.activeElement
    }
    return wanted !== null
  }
  if (settle()) return () => {}
  const stop = () => {
    watcher.disconnect()
    clearTimeout(timer)
  }
  const watcher = new MutationObserver(() => {
    if (settle()) stop()
  })
  const timer = setTimeout(stop, SHOWN_WITHIN_MS)
  watcher.observe(document.body, { childList: true, subtree: true })
  return stop
}

const TYPED_INTO = 'input, textarea, select, [contenteditable]'

/** In a row, `c` copies the first value. */
const useCopyKey = (): void =>
  useKeyDown('document', ({ key, ctrlKey, metaKey, altKey, defaultPrevented }) => {
    if (key !== 'c' || ctrlKey || metaKey || altKey || defaultPrevented) return
    const focused = document.activeElement
    if (focused === null || focused.closest(TYPED_INTO) !== null) return
    const around = focused.closest('[data-copy]') ?? focused.closest('[data-copy-area], [data-row]')
    const copies = around?.matches('[data-copy]') ? around : around?.querySelector('[data-copy]')
    if (copies instanceof HTMLElement) copies.click()
  })

const STEP_SHOWN_WITHIN_MS = 3_000

/** Reloads if a history step still shows the old page: Next waits forever for a refresh of a page that was left. */
function useStepsShown(): void {
  const pathname = usePathname()
  const shown = useRef(pathname)
  useEffect(() => {
    shown.current = pathname
  }, [pathname])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const isShown = () => shown.current === window.location.pathname
    const check = async () => {
      if (isShown() || (await askSession()) === null || isShown()) return
      window.location.reload()
    }
    const stepped = () => {
      clearTimeout(timer)
      timer = setTimeout(() => void check(), STEP_SHOWN_WITHIN_MS)
    }
    window.addEventListener('popstate', stepped)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('popstate', stepped)
    }
  }, [])
}

/** Times in milliseconds of the steady clock. */
type SeenSession = EndedSession | (LivingSession & { readonly endsAtMs: number; readonly lastActiveMs: number })

function see(state: SessionState): SeenSession {
  if (!state.signedIn) return state
  const now = steadyNowMs()
  return { ...state, endsAtMs: now + state.msLeft, lastActiveMs: now - state.msSinceActive }
}

/** Only the server's view counts: activity in another tab extends the session too. */
function useSessionState(initial: LivingSession): { seen: SeenSession; refresh: SessionSubscription['refresh'] } {
  const [seen, setSeen] = useState(() => see(initial))
  const [{ actor: owner, build }] = useState(initial)
  const subscription = useRef<SessionSubscription | null>(null)
  useEffect(() => {
    setStreamOwner(owner)
    const listen = (onPush: (state: SessionState) => void) =>
      subscribe<SessionState>('session', (found) => (found.ok ? onPush(found.value) : undefined), { whenHidden: true })
    const onState = (state: SessionState) => {
      if (state.signedIn) holdRefreshes(state.build !== build)
      setSeen(see(state))
    }
    const started = subscribeToSession({ owner, listen, read: askSession, onState })
    subscription.current = started
    return started.stop
  }, [owner, build])
  return {
    seen,
    refresh: async (ask) => (await subscription.current?.refresh(ask)) ?? false,
  }
}

/** A hanging request must not delay the next. */
const ANSWER_WITHIN_MS = 4_000

/** Also announces the operator's cases. Null when the console did not answer, which does not end the session. */
async function askSession(): Promise<SessionState | null> {
  const answer = await askConsole(SESSION_STATE, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
  if (answer?.status !== 200) return null
  const state = answer.body as SessionState & { readonly ownCases?: AssignedCases | null }
  if (state.ownCases !== undefined) announceAssignedCases(state.ownCases)
  return state
}

async function reportActivity(): Promise<LivingSession | null> {
  // The key or click may have left the page.
  const answer = await askConsole('/api/session/activity', { method: 'POST', keepalive: true })
  return answer?.status === 200 ? (answer.body as LivingSession) : null
}
