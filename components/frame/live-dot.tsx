'use client'

import { useEffect, useEffectEvent, useState } from 'react'
import type { ConnectionState } from '#components/stream/event-stream-client.ts'
import { connectionState, type SubscribeOptions, subscribe } from '#components/stream/subscribe.ts'
import { Badge } from '#components/ui/badge.tsx'
import { CircleDashed, CloudOff, type Icon, LogOut, RefreshCw, WifiOff } from '#components/ui/icons.tsx'
import { useTimeFirst } from '#components/values/timestamp.tsx'
import type { Problem } from '#lib/contract/problem.ts'
import type { SessionState } from '#lib/session/session-state.ts'
import type { TopicResult } from '#lib/stream/stream-event.ts'
import { formatClock, formatLocal, formatUtc, type TimeFirst } from '#lib/values/time.ts'
import type { Meaning } from '#lib/values/words.ts'

interface LiveLook {
  readonly word: string
  readonly meaning: Meaning
  readonly icon: Icon
  readonly explanation: string
}

const Dot: Icon = () => (
  <svg aria-hidden="true" viewBox="0 0 24 24" className="text-good">
    <circle cx="12" cy="12" r="7" fill="currentColor" stroke="none" />
  </svg>
)

const looks: Readonly<Record<ConnectionState, LiveLook>> = {
  opening: {
    word: 'Connecting',
    meaning: 'neutral',
    icon: CircleDashed,
    explanation: 'Live updates start in a moment.',
  },
  live: { word: 'Live', meaning: 'neutral', icon: Dot, explanation: 'Changes appear without a reload.' },
  polling: {
    word: 'Checking every 5 s',
    meaning: 'attention',
    icon: RefreshCw,
    explanation: 'Live updates are interrupted. This page is refreshed every 5 seconds.',
  },
  offline: {
    word: 'Reconnecting',
    meaning: 'attention',
    icon: CloudOff,
    explanation: 'The console cannot be reached. Check the connection. This page may be out of date.',
  },
  'session-over': {
    word: 'Signed out',
    meaning: 'attention',
    icon: LogOut,
    explanation: 'Your session has ended. Sign in again to continue.',
  },
  refused: { word: 'Not live', meaning: 'attention', icon: WifiOff, explanation: 'No live updates. Reload the page.' },
}

/** `silentSince`: ISO 8601; null while the service answers. Without a connection it may be out of date. */
export function liveLook(connection: ConnectionState, silentSince: string | null, first: TimeFirst): LiveLook {
  if (silentSince === null || (connection !== 'live' && connection !== 'polling')) return looks[connection]
  const whole = first === 'local' ? formatLocal(silentSince) : formatUtc(silentSince)
  return {
    word: `Service not answering since ${formatClock(silentSince, first, 'minute')}`,
    meaning: 'attention',
    icon: CloudOff,
    explanation: `No answer from the service since ${whole}. Its data may be out of date.`,
  }
}

export function LiveDot() {
  const [connection, setConnection] = useState<ConnectionState>('opening')
  const [silentSince, setSilentSince] = useState<string | null>(null)
  useEffect(() => {
    setConnection(connectionState())
    return subscribe<SessionState>(
      'session',
      (found) => {
        if (found.ok && found.value.signedIn) setSilentSince(found.value.serviceSilentSince ?? null)
      },
      // Adds no request: `SessionWatch` subscribes to this topic anyway.
      { whenHidden: true, onState: setConnection },
    )
  }, [])
  const look = liveLook(connection, silentSince, useTimeFirst())
  const [isAnnounced, setIsAnnounced] = useState(false)
  if (!isAnnounced && look.meaning === 'attention') setIsAnnounced(true)
  const { icon: Icon, word, meaning, explanation } = look
  return (
    <span role="status" aria-live={isAnnounced ? 'polite' : 'off'} className="flex min-w-6 justify-end sm:min-w-28">
      <Badge variant={meaning} aria-description={explanation} data-hint={explanation} className="min-w-0 max-sm:px-1.5">
        <Icon aria-hidden />
        <span className="truncate max-sm:sr-only">{word}</span>
      </Badge>
    </span>
  )
}

/** Null: no topic. Returns why its latest value did not arrive; null while values arrive. */
export function useTopic<Value>(
  topic: string | null,
  onValue: (value: Value) => void,
  options: SubscribeOptions = {},
): Problem | null {
  const [problem, setProblem] = useState<Problem | null>(null)
  const take = useEffectEvent((result: TopicResult<Value>) => {
    setProblem(result.ok ? null : result.problem)
    if (result.ok) onValue(result.value)
  })
  const subscribed = useEffectEvent((to: string) => subscribe<Value>(to, (result) => take(result), options))
  useEffect(() => (topic === null ? undefined : subscribed(topic)), [topic])
  return problem
}
