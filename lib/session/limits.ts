import 'server-only'
import { config } from '#lib/config/config.ts'

/** How many sessions a person may have; one more ends the least recently active. */
export const SESSIONS_MOST = 5

const MINUTE_MS = 60_000

interface Bounds {
  /** ISO 8601. */
  readonly lastActiveAt: string
  readonly endsAt: string
}

interface End {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly by: 'idle' | 'absolute'
}

/** After how long without a key or a pointer a session is over, in milliseconds. */
export const idleMs = (): number => config().sessionIdleMinutes * MINUTE_MS

/** When a session ends if nothing happens any more, and by which of its two limits. */
export function endOf({ lastActiveAt, endsAt }: Bounds): End {
  const idle = Date.parse(lastActiveAt) + idleMs()
  const absolute = Date.parse(endsAt)
  return idle < absolute ? { at: idle, by: 'idle' } : { at: absolute, by: 'absolute' }
}
