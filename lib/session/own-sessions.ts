import 'server-only'
import { findSession, listSessions } from '#lib/session/vault/session-table.ts'
import { store } from '#lib/store/store.ts'
import { endSession } from './end-session.ts'
import { endOf } from './limits.ts'
import type { Session, SignInMethod } from './session.ts'

/** Times are ISO 8601. */
export interface OwnSession {
  readonly id: string
  readonly userAgent: string
  /** Null without a trusted proxy. */
  readonly address: string | null
  readonly startedAt: string
  readonly lastActiveAt: string
  readonly method: SignInMethod
  readonly current: boolean
}

/** The current session first, then the most recently active. */
export async function ownSessions(session: Session): Promise<readonly OwnSession[]> {
  const rows = await listSessions(await store(), session.actor)
  return rows
    .filter((row) => endOf({ lastActiveAt: row.last_active_at, endsAt: row.ends_at }).at > Date.now())
    .map((row) => ({
      id: row.id,
      userAgent: row.user_agent,
      address: row.address,
      startedAt: row.created_at,
      lastActiveAt: row.last_active_at,
      method: row.method,
      current: row.id === session.id,
    }))
    .sort((a, b) => Number(b.current) - Number(a.current))
}

/** False for an unknown session and another person's, so that the answer does not show which. */
export async function endOwnSession(session: Session, id: string): Promise<boolean> {
  const row = await findSession(await store(), id)
  if (row?.actor !== session.actor) return false
  await endSession(id, 'ended-by-owner')
  return true
}
