'use client'

import { type ReactNode, useSyncExternalStore } from 'react'
import { followTopic, newsWay } from '#components/news/news.ts'

const onWay = (listen: () => void): (() => void) =>
  // Adds no request: `SessionWatch` follows this topic anyway.
  followTopic('session', () => {}, { whenHidden: true, onWay: listen })

/** Renders its children while the page polls because streams are blocked. */
export function NewsWay({ children }: { children: ReactNode }) {
  const way = useSyncExternalStore(onWay, newsWay, () => 'opening')
  return (
    <span role="status" className="flex min-w-0">
      {way === 'polling' ? children : null}
    </span>
  )
}
