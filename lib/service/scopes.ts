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
/** So that a service that is out is not asked for on each request. */
const FAILURE_KEPT_MS = 5_000
const KEPT_MAX = 1_000
const UNKNOWN: Access = { roles: [], scopes: null }
const NONE: Access = { roles: [], scopes: new Set() }

/** By session id. */
const known = (): BoundedCache<Access> => perProcess('scopes', () => boundedCache(KEPT_MAX, KEPT_MS))

/**
 * `GET Users/{id}/scopes` of the signed-in person, kept for a minute. A session that scopes let in ends here when none of
 * them is left that tells staff.
 */
export const readAccess = cache(async (session: Session): Promise<Access> => {
  const access = known().get(session.id)
  if (access !== undefined) return access
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
  known().set(session.id, access, { ttl: forMs })
  return access
}

/** Whether to offer a control; true where the scopes are not known. */
export const may = (access: Access, scope: Scope): boolean => access.scopes === null || access.scopes.has(scope)
