'use client'

import { useSearchParams } from 'next/navigation'
import { createContext, type MouseEvent, type ReactNode, useContext } from 'react'
import { ButtonLink } from '#components/frame/panel.tsx'
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

/** Also empties what was typed and not shown yet. The focus stays in the form. */
export function ClearLink({ href }: { href: string }) {
  const clear = ({ currentTarget, ctrlKey, metaKey, shiftKey }: MouseEvent<HTMLAnchorElement>) => {
    if (ctrlKey || metaKey || shiftKey) return
    const form = currentTarget.closest('form')
    for (const field of form?.querySelectorAll<HTMLInputElement>('input:not([type="hidden"])') ?? []) {
      field.value = ''
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }
    form?.querySelector<HTMLElement>('[type="submit"]')?.focus()
  }
  return (
    <ButtonLink href={href} scroll={false} onClick={clear} variant="ghost" size="field">
      Clear
    </ButtonLink>
  )
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
