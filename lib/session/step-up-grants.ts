import 'server-only'
import { perProcess } from '#lib/config/per-process.ts'

interface Grant {
  readonly token: string
  /** Milliseconds by this machine's clock. */
  readonly endsAt: number
}

/** More live grants than any one process has operators. */
const KEPT_MAX = 10_000

const grants = (): Map<string, Grant> => perProcess('grants', () => new Map())

/**
 * Keeps a step-up grant of a session: in this process's memory, and nowhere else. Another process asks for a code anew
 * (interface.md, "Step-up verification": a bearer credential, kept in memory only). `endsAt`: by this machine's clock.
 */
export function keepGrant(sessionId: string, token: string, endsAt: string): void {
  const kept = grants()
  const now = Date.now()
  for (const [id, grant] of kept) if (grant.endsAt <= now || kept.size >= KEPT_MAX) kept.delete(id)
  kept.set(sessionId, { token, endsAt: Date.parse(endsAt) })
}

function liveGrant(sessionId: string): Grant | null {
  const grant = grants().get(sessionId)
  return grant !== undefined && grant.endsAt > Date.now() ? grant : null
}

/** The grant to attach to a gated request; null when there is none that lives. */
export const grantOf = (sessionId: string): string | null => liveGrant(sessionId)?.token ?? null

/** Until when a session is verified (ISO 8601); null when it is not. */
export function verifiedUntil(sessionId: string): string | null {
  const grant = liveGrant(sessionId)
  return grant === null ? null : new Date(grant.endsAt).toISOString()
}

/** At sign-out, and when the factor goes. `refused` is a grant that the service no longer takes: a newer one stays. */
export function dropGrant(sessionId: string, refused?: string): void {
  if (refused === undefined || grants().get(sessionId)?.token === refused) grants().delete(sessionId)
}
