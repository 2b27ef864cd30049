import { useHydrated } from '#components/ui/use-hydrated.ts'
import { withLocalTimes } from '#lib/values/time.ts'
import { useTimeFirst } from './time-preference.tsx'

/** Words a text of the server so that the times in it are as the person has times. */
export function useTimesWorded(): (text: string) => string {
  const first = useTimeFirst()
  // On the server no zone is known.
  const local = useHydrated() && first === 'local'
  return (text) => (local ? withLocalTimes(text) : text)
}

/** A text of the server, worded so. */
export const WithTimes = ({ text }: { text: string }) => useTimesWorded()(text)
