import { useEffect, useEffectEvent } from 'react'
import { onSessionBack } from './session-events.ts'

/** Runs when the session that had ended on this page is back: whatever stopped for it goes on. */
export function useSessionBack(goOn: () => void): void {
  const back = useEffectEvent(goOn)
  useEffect(() => onSessionBack(() => back()), [])
}
