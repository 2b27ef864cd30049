import type { Caller } from '#sandbox/http/caller.ts'
import { Refusal } from '#sandbox/http/problem.ts'
import { type Answer, ok } from '#sandbox/http/serve.ts'
import { rolesOf, scopesOf } from '#sandbox/identity/roles.ts'
import { findUser } from '#sandbox/identity/users.ts'
import type { World } from '#sandbox/world/world.ts'

export async function readScopes(world: World, caller: Caller, userId: string): Promise<Answer> {
  const visible = userId === caller.userId || caller.can.seesAllUsers === true
  const user = visible ? await findUser(world.db, userId) : undefined
  if (user === undefined) throw new Refusal(404, 'core::users::not_found', 'No such user.')
  const { names, roles } = rolesOf(user.roles)
  return ok({ roles: names, scopes: scopesOf(roles).map((scope) => scope.replace(/^core:/, '')) })
}
