'use client'

import { useCallback, useSyncExternalStore } from 'react'
import { askConsole } from '#components/service/ask-console.ts'
import { NOTHING_SEEN, type SeenWorkspace, WorkspacePoll, type WorkspaceReply } from './workspace-poll.ts'

/** By case. Filled in the browser only: the server renders for everyone. */
const polls = new Map<string, WorkspacePoll>()

function pollOf(caseId: string): WorkspacePoll {
  const key = caseId.toLowerCase()
  const poll = polls.get(key) ?? new WorkspacePoll(() => askWorkspace(key))
  polls.set(key, poll)
  return poll
}

async function askWorkspace(caseId: string): Promise<WorkspaceReply | null> {
  const answer = await askConsole(`/api/disputes/${encodeURIComponent(caseId)}/workspace`)
  return answer === null ? null : (answer.body as WorkspaceReply)
}

interface ShownWorkspace extends SeenWorkspace {
  /** Asks at once: after one's own change, or on demand. */
  readonly refresh: () => void
}

/** Claim, viewers and notes of a case, at most five seconds old. All who use it on a page share one poll. */
export function useCaseWorkspace(caseId: string): ShownWorkspace {
  const listen = useCallback((listener: () => void) => pollOf(caseId).listen(listener), [caseId])
  const seen = useSyncExternalStore(
    listen,
    () => pollOf(caseId).seen,
    () => NOTHING_SEEN,
  )
  return { ...seen, refresh: useCallback(() => pollOf(caseId).refresh(), [caseId]) }
}
