import 'server-only'
import { config } from '#lib/config/config.ts'
import type { Scope } from '#lib/contract/scopes.ts'
import type { Session } from './session.ts'

/** An array: the person needs all of these scopes. For single sign-on a configured claim decides alone. */
export function administersBy({ method, adminByClaim }: Session): boolean | readonly Scope[] {
  const { adminClaim, adminScopes } = config()
  if (method === 'sso' && adminClaim !== null) return adminByClaim
  return adminScopes.length > 0 && adminScopes
}
