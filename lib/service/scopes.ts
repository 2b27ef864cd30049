import 'server-only'
import { cache } from 'react'
import { type BoundedCache, boundedCache } from '#lib/config/cache.ts'
import { perProcess } from '#lib/config/per-process.ts'
import { endpoints } from '#lib/contract/endpoints.ts'
import { type Scope, withPrefix } from '#lib/contract/scopes.ts'
import { endSession } from '#lib/session/end-session.ts'
import type { Session } from '#lib/session/session.ts'
import { holdsStaffScope } from '#lib/session/sign-in/admission.ts'
import { read } from './read.ts'

/** What a person may do at the service, which enforces it whatever is shown; and by which the console guards its own. */
export interface Access {
  readonly roles: readonly string[]
  /** Null when they cannot be known; then every control is shown and the service decides. */
  readonly scopes: ReadonlySet<string> | null
}

const KEPT_MS = 60_000
/** For so long what was known last is shown while it is read anew. It decides about nothing. */
const SHOWN_MS = 300_000
/** So that a service that is out is not asked for on each request. */
const FAILURE_KEPT_MS = 5_000
const KEPT_MAX = 1_000
const UNKNOWN: Access = { roles: [], scopes: null }
const NONE: Access = { roles: [], scopes: new Set() }

interface Known {
  readonly access: Access
  /** By this process's clock: after it, it decides about nothing any more. */
  readonly until: number
}

/** By session id. */
const known = (): BoundedCache<Known> => perProcess('scopes', () => boundedCache(KEPT_MAX, SHOWN_MS))

/**
 * What was known last, for showing controls alone, without waiting: at most five minutes old, and read anew behind the page
 * once it is a minute old. What is decided goes by {@link readAccess}, and by the service itself. Null when nothing is known.
 */
export function accessAtHand(session: Session): Access | null {
  const at = known().get(session.id)
  if (at === undefined) return null
  if (at.until > Date.now()) return at.access
  // Whom scopes let in may not be let in any more.
  if (session.admittedBy === 'scopes') return null
  // Where it fails, what waits for it tells.
  void readAccess(session).catch(() => {})
  return at.access
}

/**
 * `GET Users/{id}/scopes` of the signed-in person, kept for a minute. A session that scopes let in ends here when none of
 * them is left that tells staff.
 */
export const readAccess = cache(async (session: Session): Promise<Access> => {
  const at = known().get(session.id)
  if (at !== undefined && at.until > Date.now()) return at.access
  const reads = perProcess('scope reads', () => new Map<string, Promise<Access>>())
  const running = reads.get(session.id)
  if (running !== undefined) return await running
  const reading = readAnew(session).finally(() => reads.delete(session.id))
  reads.set(session.id, reading)
  return await reading
})

async function readAnew(session: Session): Promise<Access> {
  const result = await read(session, endpoints.users.scopes, { id: session.userId })
  if (!result.ok) return keep(session, UNKNOWN, FAILURE_KEPT_MS)
  const { roles, scopes: listed } = result.value
  const scopes = new Set(listed.map(withPrefix))
  if (session.admittedBy === 'scopes' && !holdsStaffScope(scopes)) {
    await endSession(session.id, 'not-staff')
    return keep(session, NONE, KEPT_MS)
  }
  return keep(session, { roles, scopes }, KEPT_MS)
}

function keep(session: Session, access: Access, forMs: number): Access {
  known().set(session.id, { access, until: Date.now() + forMs })
  return access
}

/** Whether to offer a control; true where the scopes are not known. */
export const may = (access: Access, scope: Scope): boolean => access.scopes === null || access.scopes.has(scope)
