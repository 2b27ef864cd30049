import 'server-only'
import { config } from '#lib/config/config.ts'
import type { Scope } from '#lib/contract/scopes.ts'
import type { Session } from './session.ts'

/**
 * True or false where the configuration decides alone, otherwise the scopes that an administrator needs, all of them. A
 * configured claim is the only criterion for single sign-on.
 */
export function administersBy({ method, adminByClaim }: Session): boolean | readonly Scope[] {
  const { adminClaim, adminScopes } = config()
  if (method === 'sso' && adminClaim !== null) return adminByClaim
  return adminScopes.length > 0 && adminScopes
}
