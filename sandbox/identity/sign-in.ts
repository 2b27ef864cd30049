import type { World } from '#sandbox/world/world.ts'
import { hashPassword, passwordMatches } from './password.ts'
import { findUserByEmail, type User } from './users.ts'

/** Wrong passwords in a row until the account is locked, by the machine's clock. */
const WRONG_PASSWORDS_MAX = 5
const LOCK_MILLISECONDS = 15 * 60_000

/** interface.md, "Authentication": 401, 403 and 423. */
export type SignInResult =
  | { readonly ok: true; readonly user: User }
  | { readonly ok: false; readonly why: 'wrong' | 'forbidden' | 'locked' }

let hashForNobody: Promise<string> | undefined

/** An unknown e-mail takes as long as a wrong password and gets the same answer. */
export async function checkPassword(world: World, email: string, password: string): Promise<SignInResult> {
  const user = await findUserByEmail(world.db, email)
  if (user === undefined) {
    hashForNobody ??= hashPassword('Nobody-Has-This-1')
    await passwordMatches(password, await hashForNobody)
    return { ok: false, why: 'wrong' }
  }
  if (user.locked_until_ms !== null && user.locked_until_ms > world.wallMilliseconds()) {
    return { ok: false, why: 'locked' }
  }
  if (!(await passwordMatches(password, user.password_hash))) {
    const locked = await countWrong(world, user)
    return { ok: false, why: locked ? 'locked' : 'wrong' }
  }
  if (!user.may_sign_in) return { ok: false, why: 'forbidden' }
  await world.db
    .updateTable('app_user')
    .set({ failed_sign_ins: 0, locked_until_ms: null })
    .where('id', '=', user.id)
    .execute()
  return { ok: true, user }
}

/** Counts in the database, so that parallel guesses all count. Returns whether the account is now locked. */
async function countWrong(world: World, user: User): Promise<boolean> {
  const { failed_sign_ins: failed } = await world.db
    .updateTable('app_user')
    .set((row) => ({ failed_sign_ins: row('failed_sign_ins', '+', 1) }))
    .where('id', '=', user.id)
    .returning('failed_sign_ins')
    .executeTakeFirstOrThrow()
  if (failed < WRONG_PASSWORDS_MAX) return false
  await world.db
    .updateTable('app_user')
    .set({ failed_sign_ins: 0, locked_until_ms: world.wallMilliseconds() + LOCK_MILLISECONDS })
    .where('id', '=', user.id)
    .execute()
  return true
}
