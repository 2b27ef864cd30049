import 'server-only'
import { endpoints } from '#lib/contract/endpoints.ts'
import { scopes, withPrefix } from '#lib/contract/scopes.ts'
import { type Result, read } from '#lib/service/client.ts'
import type { Session } from '#lib/session/session.ts'

export interface UserAccess {
  readonly roles: readonly string[]
  readonly scopes: readonly string[]
}

/** `GET Users/{id}/scopes`. Never cached, because the page must show the current scopes. */
export async function readUserAccess(session: Session, id: string): Promise<Result<UserAccess>> {
  const result = await read(session, endpoints.users.scopes, { id })
  if (!result.ok) return result
  const { roles, scopes } = result.value
  return { ...result, value: { roles, scopes: scopes.map(withPrefix) } }
}

export interface ScopeOfArea {
  readonly scope: string
  readonly held: boolean
}

export interface AccessArea {
  readonly area: string
  readonly scopes: readonly ScopeOfArea[]
}

const areaOf = (scope: string): string => /^core:([^:]+):[^:]+$/.exec(scope)?.[1] ?? ''

export function accessByArea(held: readonly string[]): readonly AccessArea[] {
  const known: readonly string[] = scopes
  const others = [...new Set(held)].filter((scope) => !known.includes(scope)).sort()
  const areas = Map.groupBy([...known, ...others], areaOf)
  return [...areas].map(([area, listed]) => ({
    area,
    scopes: listed.map((scope) => ({ scope, held: held.includes(scope) })),
  }))
}

export function areaWords(area: string): string {
  if (area === '') return 'Other'
  const words = area.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
