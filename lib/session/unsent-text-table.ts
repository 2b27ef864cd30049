import 'server-only'
import type { Kysely } from 'kysely'
import type { Tables } from '#lib/store/tables.ts'
import { inTransaction } from '#lib/store/transaction.ts'

interface Write {
  readonly page: string
  readonly number: number
}

export interface FoundText {
  readonly text: string
  readonly write: Write
}

export async function findText(db: Kysely<Tables>, owner: string, place: string): Promise<FoundText | undefined> {
  const row = await db
    .selectFrom('text_draft')
    .select(['text', 'write_page', 'write_number'])
    .where('owner', '=', owner)
    .where('place', '=', place)
    .executeTakeFirst()
  return row === undefined ? undefined : { text: row.text, write: { page: row.write_page, number: row.write_number } }
}

interface NewText {
  readonly owner: string
  readonly place: string
  readonly text: string
  readonly write: Write
  /** ISO 8601. */
  readonly at: string
}

/**
 * Saves nothing and returns false if the saved text is a later write of this page, or is `unseen`, which this page has
 * not shown yet. Keeps the person's latest `most` texts.
 */
export async function saveText(
  db: Kysely<Tables>,
  text: NewText,
  unseen: Write | null,
  most: number,
): Promise<boolean> {
  const { owner, place, write } = text
  const values = { text: text.text, updated_at: text.at, write_page: write.page, write_number: write.number }
  return await inTransaction(db, async (trx) => {
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('text_draft')
      .values({ owner, place, ...values })
      .onConflict((conflict) =>
        conflict
          .columns(['owner', 'place'])
          .doUpdateSet(values)
          .where((row) =>
            row.and([
              row.or([
                row('text_draft.write_page', '<>', write.page),
                row('text_draft.write_number', '<=', write.number),
              ]),
              row.or([
                row('text_draft.write_page', '<>', unseen?.page ?? NO_PAGE),
                row('text_draft.write_number', '<', unseen?.number ?? 0),
              ]),
            ]),
          ),
      )
      .executeTakeFirst()
    const kept = trx
      .selectFrom('text_draft')
      .select('place')
      .where('owner', '=', owner)
      .orderBy('updated_at', 'desc')
      .limit(most)
    await trx.deleteFrom('text_draft').where('owner', '=', owner).where('place', 'not in', kept).execute()
    return numInsertedOrUpdatedRows !== 0n
  })
}

/** Matches no page. */
const NO_PAGE = '-'

/** Keeps the text if it is the write `unseen`. */
export async function deleteText(
  db: Kysely<Tables>,
  owner: string,
  place: string,
  unseen: Write | null,
): Promise<void> {
  await db
    .deleteFrom('text_draft')
    .where('owner', '=', owner)
    .where('place', '=', place)
    .where((row) =>
      row.or([row('write_page', '<>', unseen?.page ?? NO_PAGE), row('write_number', '<', unseen?.number ?? 0)]),
    )
    .execute()
}
