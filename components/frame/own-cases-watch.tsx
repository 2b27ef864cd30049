'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent, useRef } from 'react'
import { followTopic } from '#components/news/news.ts'
import type { AssignedCases } from '#lib/disputes/unread/assigned-cases.ts'
import { isHeld } from './leave-guard.ts'
import { announceOwnCases } from './own-cases.ts'

interface OwnCasesWatchProps {
  /** Undefined while unknown to the server. */
  initial: AssignedCases | null | undefined
  notify: boolean
}

export function OwnCasesWatch({ initial, notify }: OwnCasesWatchProps) {
  const router = useRouter()
  const isTold = useRef(false)
  useEffect(() => {
    // A refreshed page may be older than the latest push.
    if (initial !== undefined && !isTold.current) announceOwnCases(initial)
  }, [initial])
  useEffect(
    () =>
      followTopic<AssignedCases | null>(
        'own-cases',
        (told) => {
          if (!told.ok) return
          isTold.current = true
          announceOwnCases(told.value)
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
    const telling = import('./tell-news.ts').then(({ tellNews }) => tellNews(open))
    telling.catch(() => {})
    return () => void telling.then((stop) => stop()).catch(() => {})
  }, [notify])
  return null
}
