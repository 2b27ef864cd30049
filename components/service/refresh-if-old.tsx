'use client'

import { useEffect, useEffectEvent } from 'react'
import { serverNowMs } from '#components/values/timestamp.tsx'
import { useAutomaticRefresh } from './session-events.ts'

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
