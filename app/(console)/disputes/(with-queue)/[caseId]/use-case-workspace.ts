'use client'

import { useCallback, useSyncExternalStore } from 'react'
import { refreshTopic, subscribe } from '#components/stream/subscribe.ts'
import type { Problem } from '#lib/contract/problem.ts'
import type { CaseWorkspace } from '#lib/disputes/workspace/workspace.ts'

/** Both can be set: `workspace` is the last good read, `problem` the failure of the latest one. */
export interface SeenWorkspace {
  readonly workspace: CaseWorkspace | null
  readonly problem: Problem | null
}

const NOTHING_SEEN: SeenWorkspace = { workspace: null, problem: null }

/** One subscription for all listeners of a case. It stops when the last listener leaves. */
export class WorkspaceWatch {
  readonly #topic: string
  readonly #listeners = new Set<() => void>()
  #seen = NOTHING_SEEN
  #stop = () => {}

  constructor(caseId: string) {
    this.#topic = `workspace ${caseId}`
  }

  get seen(): SeenWorkspace {
    return this.#seen
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    if (this.#listeners.size === 1) this.#stop = this.#subscribe()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      this.#stop()
      // Another person may sign in and open the same case in this tab.
      this.#seen = NOTHING_SEEN
    }
  }

  readonly refresh = (): void => refreshTopic(this.#topic)

  #subscribe(): () => void {
    return subscribe<CaseWorkspace>(
      this.#topic,
      (result) => {
        this.#seen = result.ok
          ? { workspace: result.value, problem: null }
          : { workspace: this.#seen.workspace, problem: result.problem }
        for (const listener of this.#listeners) listener()
      },
      { atOnce: true },
    )
  }
}

/** Keyed by case id. Set only in the browser: on the server, it would be shared by all operators. */
const watches = new Map<string, WorkspaceWatch>()

function watchOf(caseId: string): WorkspaceWatch {
  const key = caseId.toLowerCase()
  const watch = watches.get(key) ?? new WorkspaceWatch(key)
  watches.set(key, watch)
  return watch
}

/** Assignee, viewers and notes of a case. All callers on a page share one subscription. */
export function useCaseWorkspace(caseId: string): SeenWorkspace & { readonly refresh: () => void } {
  const listen = useCallback((listener: () => void) => watchOf(caseId).listen(listener), [caseId])
  const seen = useSyncExternalStore(
    listen,
    () => watchOf(caseId).seen,
    () => NOTHING_SEEN,
  )
  return { ...seen, refresh: useCallback(() => watchOf(caseId).refresh(), [caseId]) }
}
