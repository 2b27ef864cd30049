import { useEffect, useState } from 'react'
import { holdPage } from '#components/frame/leave-guard.ts'
import { onSessionEnded } from '#components/service/session-events.ts'

interface Leaving {
  /** The person is about to leave and has to answer. */
  readonly asked: boolean
  stay(): void
  leave(): void
}

/** Asks before the page is left, in a dialog of its own. `onLeave` runs first when the person leaves. */
export function useAskBeforeLeaving(onLeave: () => void): Leaving {
  const [goOn, setGoOn] = useState<(() => void) | null>(null)
  useEffect(() => {
    const letGo = holdPage({ holds: () => true, ask: (leave) => setGoOn(() => leave) })
    // When the session is over the number goes anyway.
    const stopHearing = onSessionEnded(letGo)
    return () => {
      letGo()
      stopHearing()
    }
  }, [])
  return {
    asked: goOn !== null,
    stay: () => setGoOn(null),
    leave: () => {
      onLeave()
      goOn?.()
    },
  }
}
