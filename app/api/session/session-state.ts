import type { SessionState } from '#lib/domain/session-state.ts'
import { endOf } from '#lib/session/limits.ts'
import type { Session } from '#lib/session/session.ts'

/** What a page is told of its session; `lastActiveAt` where that has just moved. */
export function stateOf(session: Session | null, lastActiveAt = session?.lastActiveAt): SessionState {
  if (session === null || lastActiveAt === undefined) return { signedIn: false }
  const end = endOf({ lastActiveAt, endsAt: session.endsAt })
  return { signedIn: true, actor: session.actor, msLeft: Math.max(0, end.at - Date.now()), endsBy: end.by }
}
