import 'server-only'
import { config } from '#lib/config/config.ts'

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

export const idleMs = (): number => config().sessionIdleMinutes * MINUTE_MS

export function endOf({ lastActiveAt, endsAt }: Bounds): End {
  const idle = Date.parse(lastActiveAt) + idleMs()
  const absolute = Date.parse(endsAt)
  return idle < absolute ? { at: idle, by: 'idle' } : { at: absolute, by: 'absolute' }
}
