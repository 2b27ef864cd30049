import 'server-only'
import type { Kysely, Selectable } from 'kysely'
import { inTransaction } from '#lib/store/in-transaction.ts'
import { isTaken } from '#lib/store/is-taken.ts'
import type { SavedViewTable } from '#lib/store/saved-view-table.ts'
import type { Tables } from '#lib/store/tables.ts'
import { VIEWS_MAX } from './saved-view.ts'

export type SavedViewRow = Selectable<SavedViewTable>

/** Of views that are shared; those of one person have the actor's. */
export const SHARED = ''

const keyOf = (name: string): string => name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()

/** The views of a table that a person sees, by name. */
export const viewsOf = (db: Kysely<Tables>, tableName: string, actor: string): Promise<SavedViewRow[]> =>
  db
    .selectFrom('saved_view')
    .selectAll()
    .where('table_name', '=', tableName)
    .where('scope', 'in', [SHARED, actor])
    .orderBy('name_key')
    .orderBy('scope')
    .execute()

/** Undefined as well for one that is somebody else's own. */
export const findView = (db: Kysely<Tables>, id: string, actor: string): Promise<SavedViewRow | undefined> =>
  db.selectFrom('saved_view').selectAll().where('id', '=', id).where('scope', 'in', [SHARED, actor]).executeTakeFirst()

/** `taken`: another view of the table has the name, in capitals or small letters. `full`: there are as many as there can be. */
export type ViewSaved = 'saved' | 'taken' | 'full'

export function addView(db: Kysely<Tables>, view: Omit<SavedViewRow, 'name_key'>): Promise<ViewSaved> {
  const { table_name, scope } = view
  return inTransaction(db, async (trx) => {
    const added = await trx
      .insertInto('saved_view')
      .values({ ...view, name_key: keyOf(view.name) })
      .onConflict((conflict) => conflict.columns(['table_name', 'scope', 'name_key']).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (added === undefined) return 'taken'
    const { total } = await trx
      .selectFrom('saved_view')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .where('table_name', '=', table_name)
      .where('scope', '=', scope)
      .executeTakeFirstOrThrow()
    if (total <= VIEWS_MAX) return 'saved'
    await trx.deleteFrom('saved_view').where('id', '=', view.id).execute()
    return 'full'
  })
}

interface ViewChange {
  readonly name?: string
  /** JSON text. */
  readonly state?: string
  /** ISO 8601. */
  readonly updated_at: string
}

/** Undefined when the view is not there any more. */
export function changeView(
  db: Kysely<Tables>,
  { id, table_name, scope }: SavedViewRow,
  change: ViewChange,
): Promise<'saved' | 'taken' | undefined> {
  return inTransaction(db, async (trx) => {
    const { name } = change
    if (name !== undefined) {
      const other = await trx
        .selectFrom('saved_view')
        .select('id')
        .where('table_name', '=', table_name)
        .where('scope', '=', scope)
        .where('name_key', '=', keyOf(name))
        .where('id', '<>', id)
        .executeTakeFirst()
      if (other !== undefined) return 'taken'
    }
    const key = name === undefined ? {} : { name_key: keyOf(name) }
    const { numUpdatedRows } = await trx
      .updateTable('saved_view')
      .set({ ...change, ...key })
      .where('id', '=', id)
      .executeTakeFirst()
    return numUpdatedRows > 0n ? 'saved' : undefined
  }).catch((error: unknown) => {
    // Of two who take a name at once, each found it free.
    if (isTaken(error)) return 'taken'
    throw error
  })
}

export async function removeView(db: Kysely<Tables>, id: string): Promise<void> {
  await db.deleteFrom('saved_view').where('id', '=', id).execute()
}
