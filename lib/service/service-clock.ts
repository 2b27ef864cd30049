import 'server-only'
import { perProcess } from '#lib/config/per-process.ts'

const ahead = () => perProcess('service clock', () => ({ ms: 0 }))

/** Keeps how far the service's clock is ahead of this one, as an answer that has just come tells. */
export function noteServiceTime(serviceTime: string | null): void {
  if (serviceTime !== null) ahead().ms = Date.parse(serviceTime) - Date.now()
}

/** The present by the service's clock, as its latest answer told; by this one before there was any. */
export const serviceNowMs = (): number => Date.now() + ahead().ms

/**
 * How far a time of the service lies ahead, in milliseconds: by the service's own clock as its answer gave it, since this
 * machine's may be minutes off. By this machine's where the answer gave none.
 */
export const msAhead = (time: string, serviceTime: string | null): number =>
  Date.parse(time) - (serviceTime === null ? Date.now() : Date.parse(serviceTime))

/** Where an answer tells no time, a clock that is off must not make a fresh grant useless: the service says when it is over. */
const LIVES_AT_LEAST_MS = 60_000

/** The end of something that was just given, by this machine's clock (ISO 8601). */
export function endByThisClock(time: string, serviceTime: string | null): string {
  const ahead = msAhead(time, serviceTime)
  return new Date(Date.now() + (serviceTime === null ? Math.max(ahead, LIVES_AT_LEAST_MS) : ahead)).toISOString()
}

/** Seconds until no lock is in the way of codes any more; null when none is. */
export function lockedSeconds(lockedUntil: string | null, serviceTime: string | null): number | null {
  const ahead = lockedUntil === null ? 0 : msAhead(lockedUntil, serviceTime)
  return ahead > 0 ? ahead / 1000 : null
}
