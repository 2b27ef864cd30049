import { useSyncExternalStore } from 'react'
import { useOwnCases } from '#components/frame/own-cases.ts'
import type { ThreadState } from '#lib/disputes/unread/thread-state.ts'
import { sameAccount } from '#lib/values/ids.ts'

/** By case: the newest message in view. Set in the browser only: on the server, operators would share it. */
const seenHere = new Map<string, string>()
const listeners = new Set<() => void>()

/** `key`: sort key of the message. */
export function announceSeen(caseId: string, key: string): void {
  seenHere.set(caseId.toLowerCase(), key)
  for (const listen of [...listeners]) listen()
}

function onSeen(listen: () => void): () => void {
  listeners.add(listen)
  return () => void listeners.delete(listen)
}

/** Prefers the operator's own cases, which are more current than a list. */
export function useThreadState(caseId: string, listed: ThreadState | null): ThreadState | null {
  const seen = useSyncExternalStore(
    onSeen,
    () => seenHere.get(caseId.toLowerCase()) ?? '',
    () => '',
  )
  const known = useOwnCases()?.cases.find(({ id }) => sameAccount(id, caseId))?.thread ?? listed
  return known === null ? null : withSeen(known, seen)
}

/** Sets unread to 0 if the newest message has been in view since. */
export const withSeen = (thread: ThreadState, seen: string): ThreadState =>
  thread.newest !== null && thread.newest <= seen ? { ...thread, unread: 0, newest: null } : thread
