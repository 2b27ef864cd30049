import 'server-only'
import type { Kysely } from 'kysely'
import { inTransaction } from './in-transaction.ts'
import type { Tables } from './tables.ts'

/** JSON text; undefined when the person has chosen nothing. */
export async function findPreference(db: Kysely<Tables>, actor: string): Promise<string | undefined> {
  const row = await db.selectFrom('preference').select('body').where('actor', '=', actor).executeTakeFirst()
  return row?.body
}

/** Gives what is kept (`{}` at first) to `change` and keeps what that answers; of two at once, neither is lost. */
export async function changePreference(
  db: Kysely<Tables>,
  actor: string,
  change: (body: string) => string,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await trx
      .insertInto('preference')
      .values({ actor, body: '{}' })
      .onConflict((conflict) => conflict.column('actor').doNothing())
      .execute()
    const { body } = await trx
      .selectFrom('preference')
      .select('body')
      .where('actor', '=', actor)
      .forUpdate()
      .executeTakeFirstOrThrow()
    await trx
      .updateTable('preference')
      .set({ body: change(body) })
      .where('actor', '=', actor)
      .execute()
  })
}
