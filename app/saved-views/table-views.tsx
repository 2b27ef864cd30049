import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { SavedViews } from '#components/table/saved-views.tsx'
import { VIEW, type TableViews as Views, viewHref } from '#components/table/view-address.ts'
import type { ViewedTable } from '#lib/authorization/table.ts'
import { log } from '#lib/config/log.ts'
import { readPreferences } from '#lib/session/preferences.ts'
import type { SavedView } from '#lib/session/saved-view.ts'
import type { Session } from '#lib/session/session.ts'
import { RenderWithAccess, startRead } from '../(console)/page-reads.tsx'
import { viewTables } from './view-tables.ts'
import { viewsOfTable } from './views-of-table.ts'

interface TableViewsProps {
  session: Session
  table: ViewedTable
  path: string
  query: URLSearchParams
  children: ReactNode
}

/** Redirects to the operator's default view if the address sets nothing of the table. */
export const TableViews = (props: TableViewsProps) => (
  <RenderWithAccess session={props.session} content={startRead(readTableViews(props))} panel="Reading the table" />
)

async function readTableViews({ session, table, path, query, children }: TableViewsProps) {
  const [views, preferences] = await Promise.all([readViews(session, table), readPreferences(session)])
  const first = views?.find(({ id }) => id === preferences.defaultViews[table]) ?? null
  const { filters, searches = [] } = viewTables[table]
  const params = ['size', 'sort', ...Object.keys(filters)]
  const value: Views = { table, views, first: first?.id ?? null, params }
  if (first !== null && !['page', VIEW, ...params, ...searches].some((name) => query.has(name))) {
    redirect(viewHref(path, query, value, first))
  }
  return <SavedViews value={value}>{children}</SavedViews>
}

/** Null when the read fails: the table is shown without views. */
async function readViews(session: Session, table: ViewedTable): Promise<readonly SavedView[] | null> {
  try {
    return await viewsOfTable(session, table)
  } catch (error) {
    log().error({ event: 'saved-views', error: error instanceof Error ? error.name : 'error' })
    return null
  }
}
