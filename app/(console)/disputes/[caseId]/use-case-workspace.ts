'use client'

import { useCallback, useSyncExternalStore } from 'react'
import { NOTHING_SEEN, type SeenWorkspace, WorkspaceWatch } from './workspace-watch.ts'

/** Keyed by case id. Set only in the browser: on the server, it would be shared by all operators. */
const watches = new Map<string, WorkspaceWatch>()

function watchOf(caseId: string): WorkspaceWatch {
  const key = caseId.toLowerCase()
  const watch = watches.get(key) ?? new WorkspaceWatch(key)
  watches.set(key, watch)
  return watch
}

interface ShownWorkspace extends SeenWorkspace {
  readonly refresh: () => void
}

/** Assignee, viewers and notes of a case. All callers on a page share one subscription. */
export function useCaseWorkspace(caseId: string): ShownWorkspace {
  const listen = useCallback((listener: () => void) => watchOf(caseId).listen(listener), [caseId])
  const seen = useSyncExternalStore(
    listen,
    () => watchOf(caseId).seen,
    () => NOTHING_SEEN,
  )
  return { ...seen, refresh: useCallback(() => watchOf(caseId).refresh(), [caseId]) }
}
