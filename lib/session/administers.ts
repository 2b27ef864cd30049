import 'server-only'
import { config } from '#lib/config/config.ts'
import type { Scope } from '#lib/contract/scopes.ts'
import type { Session } from './session.ts'

/**
 * Whether somebody administers this console; or the scopes that decide it, all of which it takes. With single sign-on the
 * claim alone decides where one is configured. Where neither is, nobody does.
 */
export function administersBy({ method, adminByClaim }: Session): boolean | readonly Scope[] {
  const { adminClaim, adminScopes } = config()
  if (method === 'sso' && adminClaim !== null) return adminByClaim
  return adminScopes.length > 0 && adminScopes
}
