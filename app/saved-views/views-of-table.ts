import { refusedBy } from '#lib/authorization/judge.ts'
import { sharedViews, type ViewedTable } from '#lib/authorization/table.ts'
import type { SavedView } from '#lib/session/saved-view.ts'
import { type SavedViewRow, SHARED, viewsOf } from '#lib/session/saved-view-table.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { readViewState } from './view-state.ts'
import { viewTables } from './view-tables.ts'

/** Who made a view changes it, and of a shared one also who the table of access names. */
export async function mayChangeView(session: Session, table: ViewedTable, owner: string): Promise<boolean> {
  if (owner === session.actor) return true
  const { others } = sharedViews[table]
  return others !== null && (await refusedBy(session, others)) === null
}

/** The views of a table that a person sees, by name; none for whom the table is not to be seen. */
export async function viewsOfTable(session: Session, table: ViewedTable): Promise<readonly SavedView[]> {
  if ((await refusedBy(session, sharedViews[table].read)) !== null) return []
  const rows = await viewsOf(await store(), table, session.actor)
  const changesOthers = await mayChangeView(session, table, '')
  return rows.map((row) => shown(row, table, session.actor, changesOthers))
}

function shown(row: SavedViewRow, table: ViewedTable, actor: string, changesOthers: boolean): SavedView {
  const mine = row.owner === actor
  const read = readViewState(viewTables[table], parsed(row.state))
  const state = read?.state ?? { query: {}, hidden: [], density: 'normal' as const }
  return {
    id: row.id,
    name: row.name,
    shared: row.scope === SHARED,
    by: mine ? null : row.owner_name,
    mayChange: mine || changesOthers,
    ...state,
    gone: read?.gone ?? ['all that it was saved with'],
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
