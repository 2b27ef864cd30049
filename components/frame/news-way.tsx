'use client'

import { type ReactNode, useSyncExternalStore } from 'react'
import { followTopic, newsWay } from '#components/news/news.ts'

const onWay = (listen: () => void): (() => void) =>
  // The frame follows the session anyway.
  followTopic('session', () => {}, { whenHidden: true, onWay: listen })

/** Says, on every page, that news are asked for because no stream of them gets through; nothing while they come by themselves. */
export function NewsWay({ children }: { children: ReactNode }) {
  const way = useSyncExternalStore(onWay, newsWay, () => 'opening')
  return (
    <span role="status" className="flex min-w-0">
      {way === 'polling' ? children : null}
    </span>
  )
}
