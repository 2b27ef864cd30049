import { useEffect, useState } from 'react'
import { useSessionBack } from '#components/service/use-session-back.ts'
import { useServerSecond } from '#components/values/timestamp.tsx'
import { onVerified } from './verified.ts'

/** Until when (ISO 8601) this session is verified by a second factor; null while it is not, and before the page is alive. */
export function useVerified(initial: string | null): string | null {
  const [until, setUntil] = useState(initial)
  const second = useServerSecond()
  useEffect(() => onVerified(setUntil), [])
  // The verification was of the session that ended.
  useSessionBack(() => setUntil(null))
  return until === null || second === null || Date.parse(until) / 1000 <= second ? null : until
}
