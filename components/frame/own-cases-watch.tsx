'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent, useRef } from 'react'
import { subscribe } from '#components/stream/subscribe.ts'
import type { OwnCases } from '#lib/disputes/unread/own-cases.ts'
import { isHeld } from './leave-guard.ts'
import { announceOwnCases } from './own-cases.ts'

interface OwnCasesWatchProps {
  /** Undefined while unknown to the server. */
  initial: OwnCases | null | undefined
  notify: boolean
}

export function OwnCasesWatch({ initial, notify }: OwnCasesWatchProps) {
  const router = useRouter()
  const hasResult = useRef(false)
  useEffect(() => {
    // A refreshed page may be older than the latest push.
    if (initial !== undefined && !hasResult.current) announceOwnCases(initial)
  }, [initial])
  useEffect(
    () =>
      subscribe<OwnCases | null>(
        'own-cases',
        (result) => {
          if (!result.ok) return
          hasResult.current = true
          announceOwnCases(result.value)
        },
        { whenHidden: true },
      ),
    [],
  )
  const open = useEffectEvent((caseId: string) => {
    window.focus()
    const path = `/disputes/${encodeURIComponent(caseId)}`
    if (window.location.pathname === path) return
    // Navigating would lose unsaved text.
    if (isHeld()) window.open(path)
    else router.push(path)
  })
  useEffect(() => {
    if (!notify) return
    // If loading fails, the rail and the title still show the count.
    const notifying = import('./notify-messages.ts').then(({ notifyMessages }) => notifyMessages(open))
    notifying.catch(() => {})
    return () => void notifying.then((stop) => stop()).catch(() => {})
  }, [notify])
  return null
}
