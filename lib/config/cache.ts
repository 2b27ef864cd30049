import 'server-only'
import { LRUCache } from 'lru-cache'

export type BoundedCache<Value extends {}> = LRUCache<string, Value>

/** A cache by text that never holds more than `max`; the longest unused go first. `ttlMs`: how long an entry lives. */
export const boundedCache = <Value extends {}>(max: number, ttlMs?: number): BoundedCache<Value> =>
  // By the wall clock, asked each time: what lives for so long does so under a clock that is set, too.
  new LRUCache(ttlMs === undefined ? { max } : { max, ttl: ttlMs, perf: { now: () => Date.now() }, ttlResolution: 0 })
