import { useEffect, useEffectEvent } from 'react'
import { onSessionBack } from './session-events.ts'

export function useSessionBack(goOn: () => void): void {
  const back = useEffectEvent(goOn)
  useEffect(() => onSessionBack(() => back()), [])
}
