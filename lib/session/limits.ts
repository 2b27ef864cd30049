import 'server-only'
import { config } from '#lib/config/config.ts'
import { store } from '#lib/store/store.ts'
import type { Session } from './session.ts'
import type { LivingSession } from './session-state.ts'
import { saveActivity } from './vault/session-table.ts'

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

export function sessionExpiry({ lastActiveAt, endsAt }: Bounds): End {
  const idle = Date.parse(lastActiveAt) + idleMs()
  const absolute = Date.parse(endsAt)
  return idle < absolute ? { at: idle, by: 'idle' } : { at: absolute, by: 'absolute' }
}

export function stateOf(session: Session, lastActiveAt = session.lastActiveAt): LivingSession {
  const now = Date.now()
  const end = sessionExpiry({ lastActiveAt, endsAt: session.endsAt })
  return {
    signedIn: true,
    actor: session.actor,
    msLeft: Math.max(0, end.at - now),
    endsBy: end.by,
    msSinceActive: Math.max(0, now - Date.parse(lastActiveAt)),
    build: config().deploymentId,
  }
}

/** Only keys and pointers extend the idle limit, never a request. Returns the new time, ISO 8601. */
export async function recordActivity(session: Session): Promise<string> {
  const now = new Date().toISOString()
  await saveActivity(await store(), session.id, now)
  return now
}
