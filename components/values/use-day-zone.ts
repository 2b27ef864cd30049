import { useHydrated } from '#components/ui/use-hydrated.ts'
import { useTimeFirst } from './time-preference.tsx'

/** The time zone in which a person’s days begin: the one that they read times in. UTC until the page comes alive. */
export function useDayZone(): string {
  const first = useTimeFirst()
  const hydrated = useHydrated()
  return hydrated && first === 'local' ? new Intl.DateTimeFormat().resolvedOptions().timeZone : 'UTC'
}
