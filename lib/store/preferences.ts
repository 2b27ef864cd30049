import 'server-only'
import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** JSON text; undefined when the person has chosen nothing. */
export async function findPreference(db: Kysely<Tables>, actor: string): Promise<string | undefined> {
  const row = await db.selectFrom('preference').select('body').where('actor', '=', actor).executeTakeFirst()
  return row?.body
}

export async function savePreference(db: Kysely<Tables>, actor: string, body: string): Promise<void> {
  await db
    .insertInto('preference')
    .values({ actor, body })
    .onConflict((conflict) => conflict.column('actor').doUpdateSet({ body }))
    .execute()
}
