'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent, useRef } from 'react'
import { followTopic } from '#components/news/news.ts'
import type { OwnCases } from '#lib/disputes/unread/own-cases.ts'
import { isHeld } from './leave-guard.ts'
import { announceOwnCases } from './own-cases.ts'

interface OwnCasesWatchProps {
  /** As the server has them; undefined while it does not know. */
  initial: OwnCases | null | undefined
  /** Whether new messages are told as notifications of the desktop. */
  notify: boolean
}

/** Keeps what the page tells of the person's own cases current: in the rail, in its title, and as notifications. */
export function OwnCasesWatch({ initial, notify }: OwnCasesWatchProps) {
  const router = useRouter()
  const isTold = useRef(false)
  useEffect(() => {
    // A page that is read anew may come with what was so before the latest news.
    if (initial !== undefined && !isTold.current) announceOwnCases(initial)
  }, [initial])
  useEffect(
    () =>
      followTopic<OwnCases | null>(
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
    // What stands on the page and is not kept would be lost: the case is opened beside it.
    if (isHeld()) window.open(path)
    else router.push(path)
  })
  useEffect(() => {
    if (!notify) return
    // Most have them turned off. Where it cannot be loaded, the rail and the title tell as well.
    const telling = import('./tell-news.ts').then(({ tellNews }) => tellNews(open))
    telling.catch(() => {})
    return () => void telling.then((stop) => stop()).catch(() => {})
  }, [notify])
  return null
}
