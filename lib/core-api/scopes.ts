import 'server-only'
import { cache } from 'react'
import { endpoints } from '#lib/contract/endpoints.ts'
import { type Scope, withPrefix } from '#lib/contract/scopes.ts'
import type { Session } from '#lib/session/session.ts'
import { read } from './read.ts'

/** What a person may do, for showing controls only: the service enforces scopes whatever is shown. */
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
const KEPT_MAX = 1_000
const UNKNOWN: Access = { roles: [], scopes: null }

const shared = globalThis as typeof globalThis & { consoleScopes?: Map<string, Kept> }

/** `GET Users/{id}/scopes` of the signed-in person, kept for a minute. Unknown after password sign-in. */
export const readAccess = cache(async (session: Session): Promise<Access> => {
  if (session.userId === null) return UNKNOWN
  shared.consoleScopes ??= new Map()
  const kept = shared.consoleScopes
  const known = kept.get(session.id)
  if (known !== undefined && known.until > Date.now()) return known.access
  const result = await read(session, endpoints.users.scopes, { id: session.userId })
  if (!result.ok) return known?.access ?? UNKNOWN
  const access = { roles: result.value.roles, scopes: new Set(result.value.scopes.map(withPrefix)) }
  if (kept.size >= KEPT_MAX) kept.clear()
  kept.set(session.id, { access, until: Date.now() + KEPT_MS })
  return access
})

/** Whether to offer a control; true where the scopes are not known. */
export const may = (access: Access, scope: Scope): boolean => access.scopes === null || access.scopes.has(scope)
