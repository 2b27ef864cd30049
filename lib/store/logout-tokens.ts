import 'server-only'
import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

export async function isSpent(db: Kysely<Tables>, jti: string): Promise<boolean> {
  const found = await db.selectFrom('logout_token').select('jti').where('jti', '=', jti).executeTakeFirst()
  return found !== undefined
}

/**
 * Remembers a logout token that was obeyed, and forgets those that are too old to come back. False when another request
 * obeyed the same one. Times are ISO 8601.
 */
export async function spend(
  db: Kysely<Tables>,
  token: { readonly jti: string; readonly now: string; readonly keptUntil: string },
): Promise<boolean> {
  await db.deleteFrom('logout_token').where('kept_until', '<=', token.now).execute()
  const spent = await db
    .insertInto('logout_token')
    .values({ jti: token.jti, kept_until: token.keptUntil })
    .onConflict((conflict) => conflict.column('jti').doNothing())
    .executeTakeFirst()
  return spent.numInsertedOrUpdatedRows === 1n
}
