import type { Selectable } from 'kysely'
import type { Db, Tables } from '#sandbox/world/tables.ts'
import { groupsOf, rolesOf } from './roles.ts'

export type User = Selectable<Tables['app_user']>

export const findUser = (db: Db, id: string): Promise<User | undefined> =>
  db.selectFrom('app_user').selectAll().where('id', '=', id).executeTakeFirst()

export type TokenUser = Pick<User, 'id' | 'roles' | 'may_sign_in' | 'token_generation'>

const KNOWN_MAX = 10_000

/** Code that changes a user must call `forgetAll`. No other process writes to the store. */
export class TokenUsers {
  readonly #known = new Map<string, TokenUser>()
  #changes = 0

  async find(db: Db, id: string): Promise<TokenUser | undefined> {
    const known = this.#known.get(id)
    if (known !== undefined) return known
    const changes = this.#changes
    const user = await db
      .selectFrom('app_user')
      .select(['id', 'roles', 'may_sign_in', 'token_generation'])
      .where('id', '=', id)
      .executeTakeFirst()
    // The user may have changed during the read, so the result is not cached.
    if (user === undefined || changes !== this.#changes) return user
    if (this.#known.size >= KNOWN_MAX) this.#known.clear()
    this.#known.set(id, user)
    return user
  }

  forgetAll(): void {
    this.#changes += 1
    this.#known.clear()
  }
}

export const findUserByEmail = (db: Db, email: string): Promise<User | undefined> =>
  db.selectFrom('app_user').selectAll().where('email_key', '=', email.trim().toLowerCase()).executeTakeFirst()

type Claims = Readonly<Record<string, string | boolean | readonly string[]>>

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
