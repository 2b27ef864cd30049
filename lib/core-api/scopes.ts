import 'server-only'
import { cache } from 'react'
import { endpoints } from '#lib/contract/endpoints.ts'
import { type Scope, withPrefix } from '#lib/contract/scopes.ts'
import { holdsStaffScope } from '#lib/session/admission.ts'
import { endSession } from '#lib/session/end-session.ts'
import type { Session } from '#lib/session/session.ts'
import { read } from './read.ts'

/** What a person may do at the service, which enforces it whatever is shown; and by which the console guards its own. */
export interface Access {
  readonly roles: readonly string[]
  /** Null when they cannot be known; then every control is shown and the service decides. */
  readonly scopes: ReadonlySet<string> | null
}

interface Kept {
  readonly access: Access
  readonly until: number
}

const KEPT_MS = 60_000
/** So that a service that is out is not asked for on each request. */
const FAILURE_KEPT_MS = 5_000
const KEPT_MAX = 1_000
const UNKNOWN: Access = { roles: [], scopes: null }
const NONE: Access = { roles: [], scopes: new Set() }

const shared = globalThis as typeof globalThis & {
  consoleScopes?: Map<string, Kept>
  consoleScopeReads?: Map<string, Promise<Access>>
}

/**
 * `GET Users/{id}/scopes` of the signed-in person, kept for a minute. A session that scopes let in ends here when none of
 * them is left that tells staff.
 */
export const readAccess = cache(async (session: Session): Promise<Access> => {
  const known = shared.consoleScopes?.get(session.id)
  if (known !== undefined && known.until > Date.now()) return known.access
  shared.consoleScopeReads ??= new Map()
  const reads = shared.consoleScopeReads
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
  shared.consoleScopes ??= new Map()
  if (shared.consoleScopes.size >= KEPT_MAX) shared.consoleScopes.clear()
  shared.consoleScopes.set(session.id, { access, until: Date.now() + forMs })
  return access
}

/** Whether to offer a control; true where the scopes are not known. */
export const may = (access: Access, scope: Scope): boolean => access.scopes === null || access.scopes.has(scope)
