import 'server-only'
import { endpoints } from '#lib/contract/endpoints.ts'
import { withPrefix } from '#lib/contract/scopes.ts'
import type { Result } from '#lib/service/answer.ts'
import { read } from '#lib/service/read.ts'
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
