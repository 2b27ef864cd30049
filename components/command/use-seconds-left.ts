import { useEffect, useState } from 'react'
import { useSecond } from '#components/values/timestamp.tsx'

/** Counts from when `seconds` arrived, by this browser's clock. */
export function useSecondsLeft(seconds: number | null): number {
  const second = useSecond()
  const [endsAt, setEndsAt] = useState<number | null>(null)
  useEffect(() => setEndsAt(seconds === null ? null : Date.now() / 1000 + seconds), [seconds])
  if (seconds === null) return 0
  return endsAt === null || second === null ? Math.ceil(seconds) : Math.max(0, Math.ceil(endsAt - second))
}
