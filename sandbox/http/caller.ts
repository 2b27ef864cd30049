import type { Scope } from '#lib/contract/scopes.ts'
import { type Role, rolesOf, scopesOf } from '#sandbox/identity/roles.ts'
import type { Tokens } from '#sandbox/identity/tokens.ts'
import { Refusal } from './problem.ts'

export interface Caller {
  readonly userId: string
  readonly scopes: readonly Scope[]
  readonly can: Readonly<Omit<Role, 'scopes' | 'groups'>>
  /** Milliseconds since 1970, by the machine's clock. */
  readonly tokenEndsMs: number
}

const BEARER = /^Bearer ([\w.~+/-]+=*)$/i

export const bearerOf = (authorization: string | undefined): string | null =>
  BEARER.exec(authorization ?? '')?.[1] ?? null

export async function callerOf(token: string | null, tokens: Tokens): Promise<Caller> {
  const verified = token === null ? null : await tokens.verify(token)
  if (verified === null) {
    throw new Refusal(401, 'core::authentication::required', 'The access token is missing, expired or not valid.')
  }
  const { roles } = rolesOf(verified.user.roles)
  const { scopes: _scopes, groups: _groups, ...can } = Object.assign({}, ...roles) as Role
  return { userId: verified.user.id, scopes: scopesOf(roles), can, tokenEndsMs: verified.endsMs }
}

export function requireScope(caller: Caller, scope: Scope): void {
  if (!caller.scopes.includes(scope)) {
    throw new Refusal(403, 'core::authorization::scope', `This needs the scope ${scope}.`)
  }
}
