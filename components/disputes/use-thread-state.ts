import { useSyncExternalStore } from 'react'
import { useOwnCases } from '#components/frame/own-cases.ts'
import type { ThreadState } from '#lib/disputes/unread/thread-state.ts'
import { sameAccount } from '#lib/values/user-id.ts'

/** By case, what this page had in view since it came. Filled in the browser only: the server renders for everyone. */
const seenHere = new Map<string, string>()
const listeners = new Set<() => void>()

/** This person had a message in view, by what it is put in order by: lists need not be read again to know it. */
export function announceSeen(caseId: string, key: string): void {
  seenHere.set(caseId.toLowerCase(), key)
  for (const listen of [...listeners]) listen()
}

function onSeen(listen: () => void): () => void {
  listeners.add(listen)
  return () => void listeners.delete(listen)
}

/** A case's thread as it is known of one's own cases, which are asked for every few seconds; else as a list has it. */
export function useThreadState(caseId: string, listed: ThreadState | null): ThreadState | null {
  const seen = useSyncExternalStore(
    onSeen,
    () => seenHere.get(caseId.toLowerCase()) ?? '',
    () => '',
  )
  const known = useOwnCases()?.cases.find(({ id }) => sameAccount(id, caseId))?.thread ?? listed
  return known === null ? null : withSeen(known, seen)
}

/** Of a list that was read before, with what was in view since. */
export const withSeen = (thread: ThreadState, seen: string): ThreadState =>
  thread.newest !== null && thread.newest <= seen ? { ...thread, unread: 0, newest: null } : thread
