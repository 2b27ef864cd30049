'use client'

import { useCallback, useSyncExternalStore } from 'react'
import { DeskPoll, type DeskReply, NOTHING_SEEN, type SeenDesk } from './desk-poll.ts'

/** By case. Filled in the browser only: the server renders for everyone. */
const polls = new Map<string, DeskPoll>()

function pollOf(caseId: string): DeskPoll {
  const key = caseId.toLowerCase()
  const poll = polls.get(key) ?? new DeskPoll(() => askDesk(key))
  polls.set(key, poll)
  return poll
}

async function askDesk(caseId: string): Promise<DeskReply | null> {
  try {
    const response = await fetch(`/api/disputes/${encodeURIComponent(caseId)}/desk`, {
      headers: { 'x-console': '1' },
      cache: 'no-store',
    })
    return (await response.json()) as DeskReply
  } catch {
    return null
  }
}

interface ShownDesk extends SeenDesk {
  /** Asks at once: after one's own change, or on demand. */
  readonly refresh: () => void
}

/** Claim, viewers and notes of a case, at most five seconds old. All who use it on a page share one poll. */
export function useCaseDesk(caseId: string): ShownDesk {
  const listen = useCallback((listener: () => void) => pollOf(caseId).listen(listener), [caseId])
  const seen = useSyncExternalStore(
    listen,
    () => pollOf(caseId).seen,
    () => NOTHING_SEEN,
  )
  return { ...seen, refresh: useCallback(() => pollOf(caseId).refresh(), [caseId]) }
}
