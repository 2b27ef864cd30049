'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent } from 'react'
import { subscribe } from '#components/stream/subscribe.ts'
import type { AssignedCases } from '#lib/disputes/unread/assigned-cases.ts'
import { announceAssignedCases } from './assigned-cases.tsx'
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
  useEffect(
    () =>
      subscribe<AssignedCases | null>(
        'own-cases',
        (result) => {
          if (result.ok) announceAssignedCases(result.value, true)
        },
        { whenHidden: true },
      ),
    [],
  )
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
