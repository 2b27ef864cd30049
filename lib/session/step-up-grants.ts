import 'server-only'
import { perProcess } from '#lib/config/per-process.ts'
import { Session } from './session.ts'

interface Grant {
  readonly token: string
  readonly actor: string
  /** The grant works only for requests with this handle. */
  readonly idHash: string
  /** Milliseconds since 1970, by this machine's clock. */
  readonly endsAt: number
}

const KEPT_MAX = 10_000

const grants = (): Map<string, Grant> => perProcess('grants', () => new Map())

/**
 * In memory only, as interface.md requires ("Step-up verification": a bearer credential). `endsAt` is by this machine's
 * clock.
 */
export function saveGrant(session: Session, token: string, endsAt: string): void {
  const kept = grants()
  const now = Date.now()
  for (const [id, grant] of kept) if (grant.endsAt <= now || kept.size >= KEPT_MAX) kept.delete(id)
  const { id, actor } = session
  kept.set(id, { token, actor, idHash: Session.handleOf(session).idHash, endsAt: Date.parse(endsAt) })
}

function liveGrant(session: Session): Grant | null {
  const grant = grants().get(session.id)
  return grant?.idHash === Session.handleOf(session).idHash && grant.endsAt > Date.now() ? grant : null
}

export const grantOf = (session: Session): string | null => liveGrant(session)?.token ?? null

/** ISO 8601. */
export function verifiedUntil(session: Session): string | null {
  const grant = liveGrant(session)
  return grant === null ? null : new Date(grant.endsAt).toISOString()
}

/** `refused` is a grant that the service rejected; a newer one is kept. */
export function dropGrant(sessionId: string, refused?: string): void {
  if (refused === undefined || grants().get(sessionId)?.token === refused) grants().delete(sessionId)
}

export function dropGrantsOf(actor: string): void {
  for (const [id, grant] of grants()) if (grant.actor === actor) grants().delete(id)
}
