import 'server-only'
import { perProcess } from '#lib/config/per-process.ts'

const ahead = () => perProcess('service clock', () => ({ ms: 0 }))

export function noteServiceTime(serviceTime: string | null): void {
  if (serviceTime !== null) ahead().ms = Date.parse(serviceTime) - Date.now()
}

/** By this machine's clock until the service's first answer. */
export const serviceNowMs = (): number => Date.now() + ahead().ms

/** Milliseconds, by the service's clock if known: this machine's may be minutes off. */
export const msAhead = (time: string, serviceTime: string | null): number =>
  Date.parse(time) - (serviceTime === null ? Date.now() : Date.parse(serviceTime))

/** Without a service time, a wrong clock must not make a new grant useless; the service decides when it expires. */
const LIVES_AT_LEAST_MS = 60_000

/** ISO 8601, by this machine's clock. */
export function endByThisClock(time: string, serviceTime: string | null): string {
  const ahead = msAhead(time, serviceTime)
  return new Date(Date.now() + (serviceTime === null ? Math.max(ahead, LIVES_AT_LEAST_MS) : ahead)).toISOString()
}

/** Null if no lock applies. */
export function lockedSeconds(lockedUntil: string | null, serviceTime: string | null): number | null {
  const ahead = lockedUntil === null ? 0 : msAhead(lockedUntil, serviceTime)
  return ahead > 0 ? ahead / 1000 : null
}
