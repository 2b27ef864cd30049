import { useEffect, useState } from 'react'
import { useSessionBack } from '#components/service/use-session-back.ts'
import { useServerSecond } from '#components/values/timestamp.tsx'
import { onVerified } from './verified.ts'

/** ISO 8601; null before hydration and while not verified. */
export function useVerified(initial: string | null): string | null {
  const [until, setUntil] = useState(initial)
  const second = useServerSecond()
  useEffect(() => onVerified(setUntil), [])
  // The new session is not verified.
  useSessionBack(() => setUntil(null))
  return until === null || second === null || Date.parse(until) / 1000 <= second ? null : until
}
