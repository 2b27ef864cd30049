import 'server-only'
import { type BoundedCache, boundedCache } from '#lib/config/cache.ts'
import { config } from '#lib/config/config.ts'
import { perProcess } from '#lib/config/per-process.ts'
import type { Session } from '#lib/session/session.ts'

const KEPT_MAX = 10_000

/** Per actor, consecutive. Other processes and earlier runs are not counted. */
const rejected = (): BoundedCache<number> => perProcess('rejected codes', () => boundedCache(KEPT_MAX))

export const countRejected = ({ actor }: Session): void => void rejected().set(actor, (rejected().get(actor) ?? 0) + 1)

export const forgetRejected = ({ actor }: Session): void => void rejected().delete(actor)

/** Null if the threshold is not configured. */
export function isLockNext({ actor }: Session): boolean | null {
  const { after } = config().codeLock
  return after === null ? null : (rejected().get(actor) ?? 0) >= after - 1
}
