import 'server-only'
import { config } from '#lib/config/config.ts'
import { endOf } from './limits.ts'
import type { Session } from './session.ts'
import type { LivingSession } from './session-state.ts'

export function stateOf(session: Session, lastActiveAt = session.lastActiveAt): LivingSession {
  const now = Date.now()
  const end = endOf({ lastActiveAt, endsAt: session.endsAt })
  return {
    signedIn: true,
    actor: session.actor,
    msLeft: Math.max(0, end.at - now),
    endsBy: end.by,
    msSinceActive: Math.max(0, now - Date.parse(lastActiveAt)),
    build: config().deploymentId,
  }
}
