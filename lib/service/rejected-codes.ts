import 'server-only'
import { type BoundedCache, boundedCache } from '#lib/config/cache.ts'
import { config } from '#lib/config/config.ts'
import { perProcess } from '#lib/config/per-process.ts'
import type { Session } from '#lib/session/session.ts'

const KEPT_MAX = 10_000

/** Of each actor, in a row. Counted in memory: what was rejected elsewhere, or before a restart, is not known here. */
const rejected = (): BoundedCache<number> => perProcess('rejected codes', () => boundedCache(KEPT_MAX))

export const countRejected = ({ actor }: Session): void => void rejected().set(actor, (rejected().get(actor) ?? 0) + 1)

/** A code was accepted, or the lock has come. */
export const forgetRejected = ({ actor }: Session): void => void rejected().delete(actor)

/** Whether one more rejected code of this person locks verification; null where nobody told after how many it does. */
export function isLockNext({ actor }: Session): boolean | null {
  const { after } = config().codeLock
  return after === null ? null : (rejected().get(actor) ?? 0) >= after - 1
}
