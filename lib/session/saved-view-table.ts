import 'server-only'
import { type Kysely, type Selectable, sql } from 'kysely'
import { countRows, inTransaction, isUniqueViolation } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { type AuditedPerson, recordAudit } from './audit-trail.ts'
import { VIEWS_MAX } from './saved-view.ts'

export type SavedViewRow = Selectable<Tables['saved_view']>

/** The `scope` of shared views. Private views have the actor's id. */
export const SHARED = ''

const keyOf = (name: string): string => name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()

export const viewsOf = (db: Kysely<Tables>, tableName: string, actor: string): Promise<SavedViewRow[]> =>
  db
    .selectFrom('saved_view')
    .selectAll()
    .where('table_name', '=', tableName)
    .where('scope', 'in', [SHARED, actor])
    .orderBy('name_key')
    .orderBy('scope')
    .execute()

/** Undefined also for another person's private view. */
export const findView = (db: Kysely<Tables>, id: string, actor: string): Promise<SavedViewRow | undefined> =>
  db.selectFrom('saved_view').selectAll().where('id', '=', id).where('scope', 'in', [SHARED, actor]).executeTakeFirst()

const isShared = ({ scope }: Pick<SavedViewRow, 'scope'>): boolean => scope === SHARED

/** `taken`: the table has a view of that name, ignoring case. */
export function addView(
  db: Kysely<Tables>,
  by: AuditedPerson,
  view: Omit<SavedViewRow, 'name_key'>,
): Promise<'saved' | 'taken' | 'full'> {
  const { table_name, scope } = view
  return inTransaction(db, async (trx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`views ${table_name} ${scope}`}, 0))`.execute(trx)
    const added = await trx
      .insertInto('saved_view')
      .values({ ...view, name_key: keyOf(view.name) })
      .onConflict((conflict) => conflict.columns(['table_name', 'scope', 'name_key']).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (added === undefined) return 'taken'
    const ofTable = trx.selectFrom('saved_view').where('table_name', '=', table_name).where('scope', '=', scope)
    if ((await countRows(ofTable)) > VIEWS_MAX) {
      await trx.deleteFrom('saved_view').where('id', '=', view.id).execute()
      return 'full'
    }
    if (isShared(view)) await recordAudit(trx, { by, kind: 'view.share', about: view.id, facts: factsOf(view) })
    return 'saved'
  })
}

interface ViewChange {
  readonly name?: string
  /** JSON text. */
  readonly state?: string
  /** ISO 8601. */
  readonly updated_at: string
}

export function changeView(
  db: Kysely<Tables>,
  by: AuditedPerson,
  view: SavedViewRow,
  change: ViewChange,
): Promise<'saved' | 'taken' | undefined> {
  const { id, table_name, scope } = view
  return inTransaction(db, async (trx) => {
    const { name, state } = change
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
    if (numUpdatedRows === 0n) return undefined
    if (isShared(view)) {
      const what = [...(name === undefined ? [] : ['its name']), ...(state === undefined ? [] : ['what it shows'])]
      const facts = { ...factsOf({ ...view, name: name ?? view.name }), what: what.join(' and ') }
      await recordAudit(trx, { by, kind: 'view.change', about: id, facts })
    }
    return 'saved'
  }).catch((error: unknown) => {
    // Two concurrent changes can both pass the check above.
    if (isUniqueViolation(error)) return 'taken'
    throw error
  })
}

export async function removeView(db: Kysely<Tables>, by: AuditedPerson, view: SavedViewRow): Promise<void> {
  const { id, owner_name: owner } = view
  await inTransaction(db, async (trx) => {
    const { numDeletedRows } = await trx.deleteFrom('saved_view').where('id', '=', id).executeTakeFirst()
    if (numDeletedRows === 0n || !isShared(view)) return
    await recordAudit(trx, { by, kind: 'view.remove', about: id, facts: { ...factsOf(view), owner } })
  })
}

const factsOf = ({ name, table_name }: Pick<SavedViewRow, 'name' | 'table_name'>) => ({ view: name, table: table_name })
