import 'server-only'
import { perProcess } from '#lib/config/per-process.ts'

const ahead = () => perProcess('service clock', () => ({ ms: 0 }))

export function recordServiceTime(serviceTime: string | null): void {
  if (serviceTime !== null) ahead().ms = Date.parse(serviceTime) - Date.now()
}

export const serviceNowMs = (): number => Date.now() + ahead().ms

/** Milliseconds. This machine's clock may be minutes off, so the service's is used if known. */
export const msAhead = (time: string, serviceTime: string | null): number =>
  Date.parse(time) - (serviceTime === null ? Date.now() : Date.parse(serviceTime))

/** A wrong clock here must not make a new grant useless. */
const LIVES_AT_LEAST_MS = 60_000

/** ISO 8601. */
export function endByThisClock(time: string, serviceTime: string | null): string {
  const ahead = msAhead(time, serviceTime)
  return new Date(Date.now() + (serviceTime === null ? Math.max(ahead, LIVES_AT_LEAST_MS) : ahead)).toISOString()
}

export function lockedSeconds(lockedUntil: string | null, serviceTime: string | null): number | null {
  const ahead = lockedUntil === null ? 0 : msAhead(lockedUntil, serviceTime)
  return ahead > 0 ? ahead / 1000 : null
}
