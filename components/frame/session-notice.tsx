'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { useSecond } from '#components/domain/timestamp.tsx'
import { Button } from '#components/ui/button.tsx'
import { buttonLook } from '#components/ui/button-look.ts'
import { countdown } from '#lib/domain/session-state.ts'

const frame = 'pointer-events-auto z-60 rounded-lg border border-attention/45 bg-surface p-4 shadow-[var(--lift)]'

interface SessionWarningProps {
  endsBy: 'idle' | 'absolute'
  endsAtMs: number
  onStay: () => void
}

/** Said once, quietly; the seconds are for those who look. */
export function SessionWarning({ endsBy, endsAtMs, onStay }: SessionWarningProps) {
  const second = useSecond()
  return (
    <section aria-label="Session" className={`${frame} fixed right-4 bottom-4 left-4 ml-auto max-w-96`}>
      <div className="flex items-baseline gap-3">
        <p className="font-semibold">Your session ends soon</p>
        <p aria-live="off" className="figures ml-auto text-ink-2">
          {second === null ? null : `in ${countdown(endsAtMs - second * 1000)}`}
        </p>
      </div>
      {endsBy === 'idle' ? (
        <>
          <p className="mt-0.5 text-ink-2 text-sm">Nothing was typed or clicked for a while.</p>
          <Button look="go" className="mt-3" onClick={onStay}>
            Stay signed in
          </Button>
        </>
      ) : (
        <p className="mt-0.5 text-ink-2 text-sm">
          It has lasted as long as a session may. Sign in again when it has ended; you come back to this page.
        </p>
      )}
    </section>
  )
}

/** Leads to sign-in and back to this very address; a new tab leaves this page, and what is typed on it, as it is. */
export function SessionEnded() {
  const here = window.location.pathname + window.location.search
  return (
    <Focused>
      <p className="font-semibold text-lg">Your session is over</p>
      <p className="mt-0.5 text-ink-2 text-sm">Sign in again; you come back to this page.</p>
      <p className="mt-3 flex flex-wrap items-center gap-3">
        <a href={`/sign-in?${new URLSearchParams({ why: 'ended', to: here })}`} className={buttonLook({ look: 'go' })}>
          Sign in again
        </a>
        <a
          href="/sign-in"
          target="_blank"
          rel="noreferrer"
          className="text-accent text-sm underline underline-offset-4"
        >
          Sign in in a new tab
        </a>
      </p>
      <p className="mt-2 text-ink-3 text-xs">
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
