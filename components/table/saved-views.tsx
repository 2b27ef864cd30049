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
