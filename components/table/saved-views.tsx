'use client'

import { useSearchParams } from 'next/navigation'
import { createContext, type ReactNode, useContext } from 'react'
import type { SavedView } from '#lib/session/saved-view.ts'
import { NO_VIEW, type TableViews, VIEW } from './view-address.ts'

const ViewsContext = createContext<TableViews | null>(null)

export function SavedViews({ value, children }: { value: TableViews; children: ReactNode }) {
  return <ViewsContext value={value}>{children}</ViewsContext>
}

/** Null when the table has no views. */
export function useTableViews(table: string): TableViews | null {
  const views = useContext(ViewsContext)
  return views?.table === table ? views : null
}

/** Keeps the page size and the view. Without a view, the default view would set its filter again. */
export function useFilterHref(
  table: string,
  path: string,
): (filtered: (query: URLSearchParams) => URLSearchParams) => string {
  const query = useSearchParams()
  const first = useTableViews(table)?.first ?? null
  return (filtered) => {
    const next = filtered(new URLSearchParams(query))
    if (first !== null && !next.has(VIEW)) next.set(VIEW, NO_VIEW)
    const text = next.toString()
    return text === '' ? path : `${path}?${text}`
  }
}

export interface ChosenView {
  readonly view: SavedView | null
  /** The address names a view that this operator does not have. */
  readonly missing: boolean
}

export function useChosenView(table: string): ChosenView {
  const views = useTableViews(table)
  const id = useSearchParams().get(VIEW)
  if (views === null || views.views === null || id === null || id === NO_VIEW) return { view: null, missing: false }
  const view = views.views.find((known) => known.id === id) ?? null
  return { view, missing: view === null }
}
