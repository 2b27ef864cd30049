import { useHydrated } from '#components/ui/use-hydrated.ts'
import { useTimeFirst } from './time-preference.tsx'

/** UTC until hydration. */
export function useDayZone(): string {
  const first = useTimeFirst()
  const hydrated = useHydrated()
  return hydrated && first === 'local' ? new Intl.DateTimeFormat().resolvedOptions().timeZone : 'UTC'
}
