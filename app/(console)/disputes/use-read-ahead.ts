import { useEffect, useState } from 'react'

const FIRST_AFTER_MS = 500
const SECOND_AFTER_MS = 2_000

/**
 * How many pages may be read ahead, one after the other: none until the page on screen, which `shown` names, has been
 * there for a moment.
 */
export function useReadAhead(shown: string): 0 | 1 | 2 {
  const [ahead, setAhead] = useState<{ readonly shown: string; readonly count: 0 | 1 | 2 }>({ shown, count: 0 })
  useEffect(() => {
    const timers = [
      setTimeout(() => setAhead({ shown, count: 1 }), FIRST_AFTER_MS),
      setTimeout(() => setAhead({ shown, count: 2 }), SECOND_AFTER_MS),
    ]
    return () => timers.forEach(clearTimeout)
  }, [shown])
  return ahead.shown === shown ? ahead.count : 0
}
