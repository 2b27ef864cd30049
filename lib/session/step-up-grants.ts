import 'server-only'
import { perProcess } from '#lib/config/per-process.ts'
import { Session } from './session.ts'

interface Grant {
  readonly token: string
  /** The handle that it is bound to: no request that came with another one may use it. */
  readonly idHash: string
  /** Milliseconds by this machine's clock. */
  readonly endsAt: number
}

/** More live grants than any one process has operators. */
const KEPT_MAX = 10_000

/** By session id. */
const grants = (): Map<string, Grant> => perProcess('grants', () => new Map())

/**
 * Keeps a step-up grant of a session in this process's memory, and nowhere else. Another process asks for a code of its
 * own (interface.md, "Step-up verification": a bearer credential, kept in memory only). `endsAt`: by this machine's clock.
 */
export function keepGrant(session: Session, token: string, endsAt: string): void {
  const kept = grants()
  const now = Date.now()
  for (const [id, grant] of kept) if (grant.endsAt <= now || kept.size >= KEPT_MAX) kept.delete(id)
  kept.set(session.id, { token, idHash: Session.handleOf(session).idHash, endsAt: Date.parse(endsAt) })
}

function liveGrant(session: Session): Grant | null {
  const grant = grants().get(session.id)
  return grant?.idHash === Session.handleOf(session).idHash && grant.endsAt > Date.now() ? grant : null
}

/** The grant to attach to a gated request; null when the handle of this request has no live grant. */
export const grantOf = (session: Session): string | null => liveGrant(session)?.token ?? null

/** Until when a request's handle is verified (ISO 8601); null when it is not. */
export function verifiedUntil(session: Session): string | null {
  const grant = liveGrant(session)
  return grant === null ? null : new Date(grant.endsAt).toISOString()
}

/** At sign-out, and when the factor is removed. `refused`: a grant that the service rejected; a newer one stays. */
export function dropGrant(sessionId: string, refused?: string): void {
  if (refused === undefined || grants().get(sessionId)?.token === refused) grants().delete(sessionId)
}
