'use client'

import { useEffect, useState } from 'react'
import { useSessionBack } from '#components/service/session-events.ts'
import { Badge } from '#components/ui/badge.tsx'
import { listeners } from '#components/ui/hydrated.tsx'
import { ShieldCheck } from '#components/ui/icons.tsx'
import { ClockTime, useServerSecond } from '#components/values/timestamp.tsx'

export function VerifiedBadge({ initial }: { initial: string | null }) {
  const until = useVerified(initial)
  if (until === null) return null
  return (
    <Badge variant="good" icon={ShieldCheck}>
      <span>
        Verified until <ClockTime value={until} to="minute" />
      </span>
    </Badge>
  )
}

/** ISO 8601; null before hydration and while not verified. */
export function useVerified(initial: string | null): string | null {
  const [{ until, rendered }, setKnown] = useState({ until: initial, rendered: initial })
  if (rendered !== initial) setKnown({ until: initial, rendered: initial })
  const second = useServerSecond()
  useEffect(() => listen((next) => setKnown((known) => ({ ...known, until: next }))), [])
  // The new session is not verified.
  useSessionBack(() => setKnown((known) => ({ ...known, until: null })))
  return until === null || second === null || Date.parse(until) / 1000 <= second ? null : until
}

const { listen, tell } = listeners<string | null>()

/** ISO 8601 end of the verification. */
export const announceVerified = tell
