import 'server-only'
import type { Kysely } from 'kysely'
import { inTransaction } from './in-transaction.ts'
import type { Tables } from './tables.ts'

/** Undefined when nothing is kept for that place. */
export async function findText(db: Kysely<Tables>, owner: string, place: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('text_draft')
    .select('text')
    .where('owner', '=', owner)
    .where('place', '=', place)
    .executeTakeFirst()
  return row?.text
}

interface NewText {
  readonly owner: string
  readonly place: string
  readonly text: string
  /** ISO 8601. */
  readonly at: string
}

/** Keeps a text in the place of the one before. Of a person's texts only the latest `most` stay. */
export async function saveText(db: Kysely<Tables>, { owner, place, text, at }: NewText, most: number): Promise<void> {
  await inTransaction(db, async (trx) => {
    await trx
      .insertInto('text_draft')
      .values({ owner, place, text, updated_at: at })
      .onConflict((conflict) => conflict.columns(['owner', 'place']).doUpdateSet({ text, updated_at: at }))
      .execute()
    const kept = trx
      .selectFrom('text_draft')
      .select('place')
      .where('owner', '=', owner)
      .orderBy('updated_at', 'desc')
      .limit(most)
    await trx.deleteFrom('text_draft').where('owner', '=', owner).where('place', 'not in', kept).execute()
  })
}

export async function deleteText(db: Kysely<Tables>, owner: string, place: string): Promise<void> {
  await db.deleteFrom('text_draft').where('owner', '=', owner).where('place', '=', place).execute()
}
