'use client'

import Link from 'next/link'
import { usePathname, useSearchParams } from 'next/navigation'
import { createContext, type MouseEvent, type ReactNode, useContext } from 'react'
import { ButtonLink } from '#components/frame/panel.tsx'
import type { SavedView } from '#lib/session/saved-view.ts'
import { visibleText } from '#lib/values/text.ts'
import { NO_VIEW, type TableViews, VIEW, viewHref, withQuery } from './view-address.ts'

const ViewsContext = createContext<TableViews | null>(null)

export const SavedViews = ({ value, children }: { value: TableViews; children: ReactNode }) => (
  <ViewsContext value={value}>
    <ViewTabs views={value} />
    {children}
  </ViewsContext>
)

/** Absent without saved views. The View menu changes them. */
function ViewTabs({ views }: { views: TableViews }) {
  const query = new URLSearchParams(useSearchParams())
  const path = usePathname()
  const chosen = useChosenView(views.table).view
  if (views.views === null || views.views.length === 0) return null
  return (
    <nav aria-label="Views of this table" className="mb-3 flex gap-5 overflow-x-auto border-b print:hidden">
      {[null, ...views.views].map((view) => (
        <Link
          key={view?.id ?? NO_VIEW}
          href={viewHref(path, query, views, view)}
          prefetch={false}
          scroll={false}
          aria-current={view?.id === chosen?.id ? 'true' : undefined}
          className="min-h-9 max-w-[24ch] shrink-0 truncate border-transparent border-b-2 px-0.5 py-1.5 font-[550] text-secondary-foreground text-sm hover:text-foreground aria-[current]:border-primary aria-[current]:text-foreground"
        >
          <bdi>{view === null ? 'No view' : visibleText(view.name)}</bdi>
        </Link>
      ))}
    </nav>
  )
}

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
    return withQuery(path, next)
  }
}

/** Also empties what was entered and not shown yet. The focus stays in the form. */
export function ClearLink({ href }: { href: string }) {
  const clear = ({ currentTarget, ctrlKey, metaKey, shiftKey }: MouseEvent<HTMLAnchorElement>) => {
    if (ctrlKey || metaKey || shiftKey) return
    const form = currentTarget.closest('form')
    const fields = form?.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input:not([type="hidden"]), select')
    for (const field of fields ?? []) {
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
