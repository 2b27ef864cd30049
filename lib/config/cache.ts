import 'server-only'
import { LRUCache } from 'lru-cache'

export type BoundedCache<Value extends {}> = LRUCache<string, Value>

export const boundedCache = <Value extends {}>(max: number, ttlMs?: number): BoundedCache<Value> =>
  // Reads the wall clock, so that entries also expire after it was changed.
  new LRUCache(ttlMs === undefined ? { max } : { max, ttl: ttlMs, perf: { now: () => Date.now() }, ttlResolution: 0 })
