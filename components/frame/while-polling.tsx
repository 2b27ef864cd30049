'use client'

import { type ReactNode, useSyncExternalStore } from 'react'
import { connectionState, subscribe } from '#components/stream/subscribe.ts'

const onState = (listen: () => void): (() => void) =>
  // Adds no request: `SessionWatch` subscribes to this topic anyway.
  subscribe('session', () => {}, { whenHidden: true, onState: listen })

/** Renders its children while the page polls because streams are blocked. */
export function WhilePolling({ children }: { children: ReactNode }) {
  const state = useSyncExternalStore(onState, connectionState, () => 'opening')
  return (
    <span role="status" className="flex min-w-0">
      {state === 'polling' ? children : null}
    </span>
  )
}
