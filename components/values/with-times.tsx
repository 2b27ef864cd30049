import { useHydrated } from '#components/ui/use-hydrated.ts'
import { withLocalTimes } from '#lib/values/time.ts'
import { useTimeFirst } from './time-preference.tsx'

/** Rewrites the times in a text from the server to the operator's time zone. */
export function useTimesWorded(): (text: string) => string {
  const first = useTimeFirst()
  // The server does not know the operator's time zone.
  const local = useHydrated() && first === 'local'
  return (text) => (local ? withLocalTimes(text) : text)
}

export const WithTimes = ({ text }: { text: string }) => useTimesWorded()(text)
