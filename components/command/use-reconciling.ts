'use client'

import { useEffect, useEffectEvent, useState } from 'react'
import { onSessionBack } from '#components/service/session-events.ts'
import type { CommandView } from '#lib/commands/command.ts'
import { look } from './command-client.ts'

/** While a change is on its way, waits for a code, or may have been confirmed just before the page was read. */
const ASK_MS = 2_500
/** The console looks at the service by itself; this asks it soon after. */
const AFTER_RECONCILE_MS = 400
/** A look that is due may take a while. */
const DUE_ASK_MS = 1_000

/** While no next look is known, or the console does not answer: asking makes it look, where this person may read the effect. */
const UNWATCHED_ASK_MS = 5_000
/** Once no effect has shown for two minutes, or a person has settled it: a late effect can show for a day, but is rare. */
const LONG_OPEN_ASK_MS = 60_000

/** When to ask the console next, in milliseconds from now; null when the end is known. */
export function pauseMs({ outcome, nextReconcileAt, settledByHand }: CommandView): number | null {
  if (outcome.class === 'sending' || outcome.class === 'step-up' || outcome.class === 'prepared') return ASK_MS
  if (outcome.class !== 'accepted' && outcome.class !== 'unknown' && outcome.class !== 'no-effect') return null
  if (nextReconcileAt !== null)
    return Math.max(DUE_ASK_MS, Date.parse(nextReconcileAt) - Date.now() + AFTER_RECONCILE_MS)
  return outcome.class === 'no-effect' || settledByHand ? LONG_OPEN_ASK_MS : UNWATCHED_ASK_MS
}

/**
 * Asks after an open command again and again, each time soon after the console has looked at the service. `onLooked` gets
 * what is found. Answers when the next look is due (milliseconds since 1970), null when nobody looks.
 */
export function useReconciling(command: CommandView | null, onReconciled: (found: CommandView) => void): number | null {
  const [nextReconcileAt, setNextReconcileAt] = useState<number | null>(null)
  const looked = useEffectEvent(onReconciled)
  useEffect(() => {
    const pause = command === null ? null : pauseMs(command)
    setNextReconcileAt(pause === null || command?.nextReconcileAt === null ? null : Date.now() + pause)
    if (command === null || pause === null) return
    let left = false
    const ask = async () => {
      const reply = await look(command.id)
      // A new object even for an old answer: each look that is behind us asks for the next.
      if (!left) looked(reply?.ok ? reply.command : { ...command, nextReconcileAt: null })
    }
    const timer = setTimeout(ask, pause)
    const stopHearing = onSessionBack(() => {
      clearTimeout(timer)
      void ask()
    })
    return () => {
      left = true
      clearTimeout(timer)
      stopHearing()
    }
  }, [command])
  return nextReconcileAt
}
