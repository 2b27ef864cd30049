'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent } from 'react'
import type { AssignedCases } from '#lib/disputes/unread/assigned-cases.ts'
import { announceAssignedCases } from './assigned-cases.tsx'
import { useTopic } from './live-dot.tsx'
import { openPage } from './waiting-watch.tsx'

interface AssignedCasesWatchProps {
  /** Undefined while unknown to the server. */
  initial: AssignedCases | null | undefined
  notify: boolean
}

export function AssignedCasesWatch({ initial, notify }: AssignedCasesWatchProps) {
  const router = useRouter()
  useEffect(() => {
    if (initial !== undefined) announceAssignedCases(initial)
  }, [initial])
  useTopic<AssignedCases | null>('own-cases', (cases) => announceAssignedCases(cases, true), { whenHidden: true })
  const open = useEffectEvent((caseId: string) => openPage(router, `/disputes/${encodeURIComponent(caseId)}`))
  useEffect(() => {
    if (!notify) return
    // If loading fails, the rail and the title still show the count.
    const notifying = import('./notify-messages.ts').then(({ notifyMessages }) => notifyMessages(open))
    notifying.catch(() => {})
    return () => void notifying.then((stop) => stop()).catch(() => {})
  }, [notify])
  return null
}
