import 'server-only'

/** More keys than this are a flood: then all may go on once. */
const KEYS_MAX = 1_000

/** Whether something may be done again: at most once in so long for each key. `times`: when each was done last. */
export function onceIn(times: Map<string, number>, key: string, everyMs: number): boolean {
  const now = Date.now()
  if (now < (times.get(key) ?? 0) + everyMs) return false
  if (times.size >= KEYS_MAX) times.clear()
  times.set(key, now)
  return true
}
