'use client'

import { useCallback, useSyncExternalStore } from 'react'
import { NOTHING_SEEN, type SeenWorkspace, WorkspaceWatch } from './workspace-watch.ts'

/** By case. Filled in the browser only: the server renders for everyone. */
const watches = new Map<string, WorkspaceWatch>()

function watchOf(caseId: string): WorkspaceWatch {
  const key = caseId.toLowerCase()
  const watch = watches.get(key) ?? new WorkspaceWatch(key)
  watches.set(key, watch)
  return watch
}

interface ShownWorkspace extends SeenWorkspace {
  /** Asks at once: after one's own change, or on demand. */
  readonly refresh: () => void
}

/** Claim, viewers and notes of a case, as they are. All who use it on a page share one watch. */
export function useCaseWorkspace(caseId: string): ShownWorkspace {
  const listen = useCallback((listener: () => void) => watchOf(caseId).listen(listener), [caseId])
  const seen = useSyncExternalStore(
    listen,
    () => watchOf(caseId).seen,
    () => NOTHING_SEEN,
  )
  return { ...seen, refresh: useCallback(() => watchOf(caseId).refresh(), [caseId]) }
}
