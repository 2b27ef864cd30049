import { refusedBy } from '#lib/authorization/judge.ts'
import { removesSharedViews, sharedViews, type ViewedTable } from '#lib/authorization/table.ts'
import { parsedJson } from '#lib/contract/json.ts'
import type { SavedView } from '#lib/session/saved-view.ts'
import { type SavedViewRow, SHARED, viewsOf } from '#lib/session/saved-view-table.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { readViewState, viewTables } from './view-tables.ts'

type ViewRights = Pick<SavedView, 'mayChange' | 'mayRemove'>

/** Rights to views that others have shared. An owner may always change and remove a view. */
async function rightsToShared(session: Session, table: ViewedTable): Promise<ViewRights> {
  const { others } = sharedViews[table]
  const mayChange = others !== null && (await refusedBy(session, others)) === null
  return { mayChange, mayRemove: mayChange || (await refusedBy(session, removesSharedViews)) === null }
}

/** Expects a view that the operator may see. */
export const rightsTo = async (session: Session, table: ViewedTable, owner: string): Promise<ViewRights> =>
  owner === session.actor ? { mayChange: true, mayRemove: true } : await rightsToShared(session, table)

/** Empty when the operator may not see the table. */
export async function viewsOfTable(session: Session, table: ViewedTable): Promise<readonly SavedView[]> {
  if ((await refusedBy(session, sharedViews[table].read)) !== null) return []
  const rows = await viewsOf(await store(), table, session.actor)
  const shared = await rightsToShared(session, table)
  return rows.map((row) => shown(row, table, session.actor, shared))
}

function shown(row: SavedViewRow, table: ViewedTable, actor: string, shared: ViewRights): SavedView {
  const mine = row.owner === actor
  const read = readViewState(viewTables[table], parsedJson(row.state))
  const state = read?.state ?? { query: {}, hidden: [], density: 'normal' as const }
  return {
    id: row.id,
    name: row.name,
    shared: row.scope === SHARED,
    by: mine ? null : row.owner_name,
    ...(mine ? { mayChange: true, mayRemove: true } : shared),
    ...state,
    gone: read?.gone ?? ['all its settings'],
  }
}

export const NAME_TAKEN = 'Another view of this table has this name. Choose a different name.'

export const stateFault = (gone: readonly string[] = []): string =>
  gone.length === 0 ? 'Invalid table settings.' : `A view cannot save ${gone.join(', ')}. Clear it first.`
