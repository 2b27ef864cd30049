import type { FastifyRequest } from 'fastify'
import type { Scope } from '#lib/contract/scopes.ts'
import { type Role, rolesOf, scopesOf } from '#sandbox/identity/roles.ts'
import type { Tokens } from '#sandbox/identity/tokens.ts'
import { Refusal } from './problem.ts'

/** The signed-in user behind a request; scopes are resolved anew for every request. */
export interface Caller {
  readonly userId: string
  readonly scopes: readonly Scope[]
  readonly can: Readonly<Omit<Role, 'scopes'>>
}

const BEARER = /^Bearer ([\w.~+/-]+=*)$/i

export async function authenticate(request: FastifyRequest, tokens: Tokens): Promise<Caller> {
  const token = BEARER.exec(request.headers.authorization ?? '')?.[1]
  const user = token === undefined ? null : await tokens.verify(token)
  if (user === null) {
    throw new Refusal(401, 'core::authentication::required', 'The access token is missing, expired or not valid.')
  }
  const { roles } = rolesOf(user.roles)
  const { scopes: _scopes, ...can } = Object.assign({}, ...roles) as Role
  return { userId: user.id, scopes: scopesOf(roles), can }
}

export function requireScope(caller: Caller, scope: Scope): void {
  if (!caller.scopes.includes(scope)) {
    throw new Refusal(403, 'core::authorization::scope', `This needs the scope ${scope}.`)
  }
}
