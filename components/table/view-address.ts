import type { SavedView, ViewState } from '#lib/session/saved-view.ts'

/** Address parameter: a view id, or `none`, which also suppresses the default view. */
export const VIEW = 'view'
export const NO_VIEW = 'none'

export interface TableViews {
  readonly table: string
  readonly views: readonly SavedView[] | null
  /** Id of the default view. */
  readonly first: string | null
  /** Address parameters that a view sets. */
  readonly params: readonly string[]
}

export const queryIn = (address: URLSearchParams, { params }: TableViews): Readonly<Record<string, string>> =>
  Object.fromEntries(params.flatMap((name) => (address.get(name) ? [[name, address.get(name) ?? ''] as const] : [])))

/** Keeps parameters of the page itself. */
export function viewAddress(
  address: URLSearchParams,
  views: TableViews,
  view: Pick<SavedView, 'id' | 'query'> | null,
): URLSearchParams {
  const next = new URLSearchParams(address)
  for (const name of ['page', 'after', ...views.params]) next.delete(name)
  for (const [name, wanted] of Object.entries(view?.query ?? {})) next.set(name, wanted)
  if (view === null && views.first === null) next.delete(VIEW)
  else next.set(VIEW, view?.id ?? NO_VIEW)
  return next
}

export const withQuery = (path: string, query: URLSearchParams): string =>
  query.size === 0 ? path : `${path}?${query}`

/** Of the page at `path` with a view, or without one. */
export const viewHref = (path: string, ...address: Parameters<typeof viewAddress>): string =>
  withQuery(path, viewAddress(...address))

export const differsFrom = (view: ViewState, now: ViewState): boolean => textOf(view) !== textOf(now)

const textOf = ({ query, hidden, density }: ViewState): string =>
  JSON.stringify([Object.entries(query).toSorted(([a], [b]) => (a < b ? -1 : 1)), hidden.toSorted(), density])
