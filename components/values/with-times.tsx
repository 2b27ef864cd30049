import { useHydrated } from '#components/ui/use-hydrated.ts'
import { withLocalTimes } from '#lib/values/time.ts'
import { useTimeFirst } from './time-preference.tsx'

/** Rewrites the times in a text to the operator's zone. */
export function useTimesWorded(): (text: string) => string {
  const first = useTimeFirst()
  // The server does not know the operator's zone.
  const local = useHydrated() && first === 'local'
  return (text) => (local ? withLocalTimes(text) : text)
}

export const WithTimes = ({ text }: { text: string }) => useTimesWorded()(text)
