'use client'

import { useEffect, useEffectEvent, useState } from 'react'
import type { CommandView } from '#lib/domain/command.ts'
import { look } from './door.ts'

/** While a change is on its way in another tab or waits for a code, or the console itself does not answer. */
const ASK_MS = 2_500
/** The console looks at the service by itself; this asks it soon after. */
const AFTER_LOOK_MS = 400

/** When to ask the console next, in milliseconds from now; null when asking by itself is over. */
function pauseMs({ outcome, nextLookAt }: CommandView): number | null {
  if (outcome.class === 'sending' || outcome.class === 'step-up') return ASK_MS
  if (outcome.class !== 'accepted' && outcome.class !== 'unknown' && outcome.class !== 'no-effect') return null
  return nextLookAt === null ? null : Math.max(AFTER_LOOK_MS, Date.parse(nextLookAt) - Date.now() + AFTER_LOOK_MS)
}

/**
 * Asks after an open command again and again, each time soon after the console has looked at the service. `onLooked` gets
 * what is found. Answers when the next look is due (milliseconds since 1970), null when there is none.
 */
export function useLooking(command: CommandView | null, onLooked: (found: CommandView) => void): number | null {
  const [nextLookAt, setNextLookAt] = useState<number | null>(null)
  const tell = useEffectEvent(onLooked)
  useEffect(() => {
    const pause = command === null ? null : pauseMs(command)
    setNextLookAt(pause === null ? null : Date.now() + pause)
    if (command === null || pause === null) return
    let left = false
    const timer = setTimeout(async () => {
      const reply = await look(command.id)
      // A new object even for an old answer: each look that is behind us asks for the next.
      if (!left) tell({ ...(reply?.ok ? reply.command : command) })
    }, pause)
    return () => {
      left = true
      clearTimeout(timer)
    }
  }, [command])
  return nextLookAt
}
