import 'server-only'
import { cache } from 'react'
import { type BoundedCache, boundedCache, perProcess, steadyNow } from '#lib/config/per-process.ts'
import { endpoints } from '#lib/contract/endpoints.ts'
import { type Scope, withPrefix } from '#lib/contract/scopes.ts'
import { endSession } from '#lib/session/end-session.ts'
import type { Session } from '#lib/session/session.ts'
import { holdsStaffScope } from '#lib/session/sign-in/admission.ts'
import { read } from './client.ts'

/** The service enforces these scopes. */
export interface Access {
  readonly roles: readonly string[]
  /** Null if unreadable: then the service decides. */
  readonly scopes: ReadonlySet<string> | null
}

const KEPT_MS = 60_000
/** For display during a new read, never for decisions. */
const SHOWN_MS = 300_000
const FAILURE_KEPT_MS = 5_000
const KEPT_MAX = 1_000
const UNKNOWN: Access = { roles: [], scopes: null }
const NONE: Access = { roles: [], scopes: new Set() }

interface Known {
  readonly access: Access
  /** Valid for decisions until then. */
  readonly until: number
}

const known = (): BoundedCache<Known> => perProcess('scopes', () => boundedCache(KEPT_MAX, SHOWN_MS))

/** For display only, at most five minutes old; decisions use {@link readAccess}. */
export function accessAtHand(session: Session): Access | null {
  const at = known().get(session.id)
  if (at === undefined) return null
  if (at.until > steadyNow()) return at.access
  // This person may have lost access.
  if (session.admittedBy === 'scopes') return null
  void readAccess(session).catch(() => {})
  return at.access
}

/** Cached for a minute. Ends a session that scopes admitted once no staff scope is left. */
export const readAccess = cache(async (session: Session): Promise<Access> => {
  const at = known().get(session.id)
  if (at !== undefined && at.until > steadyNow()) return at.access
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
  known().set(session.id, { access, until: steadyNow() + forMs })
  return access
}

export const may = (access: Access, scope: Scope): boolean => access.scopes === null || access.scopes.has(scope)
