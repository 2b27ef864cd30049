import type { Selectable } from 'kysely'
import type { Db, Tables } from '#sandbox/world/tables.ts'
import { groupsOf, rolesOf } from './roles.ts'

export type User = Selectable<Tables['app_user']>

export function findUser(db: Db, id: string): Promise<User | undefined> {
  return db.selectFrom('app_user').selectAll().where('id', '=', id).executeTakeFirst()
}

/** What every request needs to know of the user behind its token. */
export type TokenUser = Pick<User, 'id' | 'roles' | 'may_sign_in' | 'token_generation'>

export function findTokenUser(db: Db, id: string): Promise<TokenUser | undefined> {
  return db
    .selectFrom('app_user')
    .select(['id', 'roles', 'may_sign_in', 'token_generation'])
    .where('id', '=', id)
    .executeTakeFirst()
}

export function findUserByEmail(db: Db, email: string): Promise<User | undefined> {
  return db.selectFrom('app_user').selectAll().where('email_key', '=', email.trim().toLowerCase()).executeTakeFirst()
}

type Claims = Readonly<Record<string, string | boolean | readonly string[]>>

/** The claims of the ID token for the scopes `profile` and `email`, and of userinfo. */
export function claimsOf(user: User): Claims {
  const groups = groupsOf(rolesOf(user.roles).roles)
  return {
    sub: user.id,
    name: `${user.first_name} ${user.last_name}`,
    preferred_username: user.username,
    email: user.email,
    email_verified: true,
    ...(groups.length === 0 ? {} : { groups }),
  }
}
