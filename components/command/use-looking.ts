'use client'

import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { CommandView } from '#lib/domain/command.ts'
import { look } from './door.ts'

/** Every 2.5 s for a minute, then every 30 s: what the interface asks of those who poll. */
const QUICK_LOOK_MS = 2_500
const QUICK_LOOKS = 24
const SLOW_LOOK_MS = 30_000

/** Whether the end of a command is not known yet. */
const isOpen = ({ outcome }: CommandView): boolean =>
  outcome.class === 'sending' || outcome.class === 'accepted' || outcome.class === 'unknown'

/**
 * Looks at an open command again and again, quickly at first, then at leisure. `onLooked` gets what each look found.
 * Answers when the next look is due (milliseconds since 1970), null when there is none.
 */
export function useLooking(command: CommandView | null, onLooked: (found: CommandView) => void): number | null {
  const looks = useRef(0)
  const [nextLookAt, setNextLookAt] = useState<number | null>(null)
  const tell = useEffectEvent(onLooked)
  useEffect(() => {
    if (command === null || !isOpen(command)) {
      looks.current = 0
      setNextLookAt(null)
      return
    }
    looks.current += 1
    const pause = looks.current > QUICK_LOOKS ? SLOW_LOOK_MS : QUICK_LOOK_MS
    setNextLookAt(Date.now() + pause)
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
