/**
 * How far a time of the service lies ahead, in milliseconds: by the service's own clock as its answer gave it, since this
 * machine's may be minutes off. By this machine's where the answer gave none.
 */
export const msAhead = (time: string, serviceTime: string | null): number =>
  Date.parse(time) - (serviceTime === null ? Date.now() : Date.parse(serviceTime))

/** A time of the service by this machine's clock (ISO 8601). */
export const byThisClock = (time: string, serviceTime: string | null): string =>
  new Date(Date.now() + msAhead(time, serviceTime)).toISOString()

/** Seconds until no lock is in the way of codes any more; null when none is. */
export function lockedSeconds(lockedUntil: string | null, serviceTime: string | null): number | null {
  const ahead = lockedUntil === null ? 0 : msAhead(lockedUntil, serviceTime)
  return ahead > 0 ? ahead / 1000 : null
}
