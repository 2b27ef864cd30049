'use client'

import { useEffect, useState } from 'react'

/** Shorter than this, an answer comes without anything having flickered. */
const SLOW_AFTER_MS = 150

/** True once something goes on for longer than a moment. */
export function useSlow(pending: boolean): boolean {
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    if (!pending) return setSlow(false)
    const timer = setTimeout(() => setSlow(true), SLOW_AFTER_MS)
    return () => clearTimeout(timer)
  }, [pending])
  return slow && pending
}
