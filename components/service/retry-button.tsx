'use client'

import { useRouter } from 'next/navigation'
import {
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  useTransition,
} from 'react'
import { Button } from '#components/ui/button.tsx'
import { RotateCw } from '#components/ui/icons.tsx'
import { serverNowMs, useSecondsLeft } from '#components/values/timestamp.tsx'
import type { Problem } from '#lib/contract/problem.ts'
import { distanceText } from '#lib/values/time.ts'
import { useAutomaticRefresh, useSessionBack } from './session-events.ts'

/** Refreshes automatically when the session is back. */
export function RetryButton({ seconds = null }: { seconds?: number | null }) {
  const router = useRouter()
  const [reading, startReading] = useTransition()
  const read = () => startReading(() => router.refresh())
  const refresh = useAutomaticRefresh()
  useSessionBack(() => startReading(refresh))
  return (
    <PausedButton seconds={seconds} busy={reading} onClick={read}>
      <RotateCw aria-hidden className={reading ? 'animate-spin' : undefined} />
      {reading ? 'Trying again' : 'Try again'}
    </PausedButton>
  )
}

interface PausedButtonProps {
  seconds: number | null
  sinceMs?: number | null
  problem?: Problem | null
  busy?: boolean
  onClick: () => void
  children: ReactNode
}

export function PausedButton({ seconds, sinceMs = null, problem = null, busy = false, ...rest }: PausedButtonProps) {
  const { onClick, children } = rest
  const left = useSecondsLeft(busy ? null : seconds, sinceMs, problem)
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const shown = button.current
    return () => {
      if (shown !== null && document.activeElement === shown) shown.closest<HTMLElement>('aside, main')?.focus()
    }
  }, [])
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button
        ref={button}
        variant="outline"
        aria-disabled={busy || left > 0}
        aria-describedby={left > 0 ? id : undefined}
        onClick={() => busy || left > 0 || onClick()}
      >
        {children}
      </Button>
      <PauseNote id={id} left={left} />
    </span>
  )
}

/** Screen readers announce the end of the pause, not the seconds. */
export function PauseNote({ id, left }: { id?: string; left: number }) {
  const [hasCounted, setHasCounted] = useState(false)
  if (left > 0 && !hasCounted) setHasCounted(true)
  return (
    <span className="figures text-secondary-foreground text-sm empty:hidden">
      {left > 0 ? (
        <span id={id} aria-live="off">
          You can try again in {distanceText(left)}.
        </span>
      ) : null}
      {hasCounted ? <span role="status">{left > 0 ? null : 'You can try again now.'}</span> : null}
    </span>
  )
}

/** Pages that were shown: the router gives them again, of any age, when a person goes back. */
const shownBefore = new Set<number>()

interface RefreshIfOldProps {
  /** By the server's clock. */
  renderedAtMs: number
  olderThanMs?: number
}

/** For a page that was read ahead, or that comes back. */
export function RefreshIfOld({ renderedAtMs, olderThanMs = 60_000 }: RefreshIfOldProps) {
  const refresh = useAutomaticRefresh()
  const isOld = useEffectEvent(() => shownBefore.has(renderedAtMs) || serverNowMs() - renderedAtMs > olderThanMs)
  useEffect(() => {
    if (isOld()) refresh()
  }, [refresh])
  useEffect(() => void shownBefore.add(renderedAtMs), [renderedAtMs])
  return null
}
