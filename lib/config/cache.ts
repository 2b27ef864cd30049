import 'server-only'
import { LRUCache } from 'lru-cache'

export type BoundedCache<Value extends {}> = LRUCache<string, Value>

/** Evicts the least recently used entries. `ttlMs`: lifetime of an entry. */
export const boundedCache = <Value extends {}>(max: number, ttlMs?: number): BoundedCache<Value> =>
  // Reads the wall clock every time, so that entries also expire after the clock was changed.
  new LRUCache(ttlMs === undefined ? { max } : { max, ttl: ttlMs, perf: { now: () => Date.now() }, ttlResolution: 0 })
