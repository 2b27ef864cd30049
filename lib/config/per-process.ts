import { LRUCache } from 'lru-cache'

export type BoundedCache<Value extends {}> = LRUCache<string, Value>

export const boundedCache = <Value extends {}>(max: number, ttlMs?: number): BoundedCache<Value> =>
  new LRUCache(ttlMs === undefined ? { max } : { max, ttl: ttlMs, perf: { now: steadyNow }, ttlResolution: 0 })

const NAME = Symbol.for('console.per-process')

const shared = globalThis as typeof globalThis & { [NAME]?: Map<string, unknown> }

function all(): Map<string, unknown> {
  shared[NAME] ??= new Map()
  return shared[NAME]
}

/** Shared by all framework bundles: each has its own module variables. If `make` throws, the next call tries again. */
export function perProcess<T>(name: string, make: () => T): T {
  const things = all()
  if (!things.has(name)) things.set(name, make())
  return things.get(name) as T
}

/** `Date.now()`, but goes on when the clock is set back. */
export function steadyNow(): number {
  const clock = perProcess('steady clock', () => ({ latest: 0, lost: 0 }))
  const now = Date.now()
  clock.lost += Math.max(0, clock.latest - now)
  clock.latest = now
  return now + clock.lost
}

/** False again for the same key until `everyMs` have passed. The last `max` keys are kept. */
export function isFirstOf(name: string, key: string, everyMs: number, max = 1_000): boolean {
  const lately = perProcess(name, () => boundedCache<true>(max, everyMs))
  if (lately.has(key)) return false
  lately.set(key, true)
  return true
}

export const peekPerProcess = <T>(name: string): T | undefined => all().get(name) as T | undefined

export function putPerProcess(name: string, value: unknown): void {
  if (value === undefined) all().delete(name)
  else all().set(name, value)
}

export const bootId = (): string => perProcess('boot id', () => crypto.randomUUID())

interface Stop {
  leaving: boolean
  stopping: boolean
  readonly listeners: Set<() => void>
}

const stop = (): Stop => perProcess('stop', () => ({ leaving: false, stopping: false, listeners: new Set() }))

export function onShutdown(listener: () => void): void {
  stop().listeners.add(listener)
}

export const isShuttingDown = (): boolean => stop().stopping

/** Still serves, but reports not ready. */
export const isLeaving = (): boolean => stop().leaving

export function announceLeaving(): void {
  stop().leaving = true
}

export function announceShutdown(): void {
  if (stop().stopping) return
  stop().stopping = true
  for (const listener of stop().listeners) {
    try {
      listener()
    } catch {}
  }
}
