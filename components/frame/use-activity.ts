'use client'

import { useEffect, useEffectEvent, useRef } from 'react'
import type { SessionState } from '#lib/domain/session-state.ts'
import { lookAtSession, tellActivity } from './session-requests.ts'
import type { SeenSession } from './use-session-state.ts'

const AFTER_FAILURE_MS = 5_000
const USES = ['keydown', 'pointerdown'] as const

/**
 * Tells the server of keys and pointers that a person really used, at most once in `pauseMs`, whichever tab it was. What
 * falls into a pause is told of at its end. Answers what to call for a use that is neither: a screen reader's press.
 */
export function useActivity(seen: SeenSession, pauseMs: number, onTold: (state: SessionState) => void): () => void {
  /** When the server last knew of activity, by this browser's clock. */
  const latest = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const told = useEffectEvent(onTold)

  useEffect(() => {
    if (seen.signedIn) latest.current = Math.max(latest.current, seen.lastActiveMs)
  }, [seen])

  const send = async () => {
    timer.current = undefined
    latest.current = Date.now()
    const state = await tellActivity()
    if (state !== null) return told(state)
    latest.current = Date.now() - pauseMs + AFTER_FAILURE_MS
    lookAtSession()
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
