import type { SavedView, ViewState } from '#lib/session/saved-view.ts'

/** In the address: the id of the chosen view, or `none` where it is to be none, not even the one that opens first. */
export const VIEW = 'view'
export const NO_VIEW = 'none'

export interface TableViews {
  readonly table: string
  /** By name; null where they could not be read. */
  readonly views: readonly SavedView[] | null
  /** The view with which the table opens. */
  readonly first: string | null
  /** The parameters of the address that a view sets. */
  readonly params: readonly string[]
}

/** What an address sets of a table, without the page. */
export const queryIn = (address: URLSearchParams, { params }: TableViews): Readonly<Record<string, string>> =>
  Object.fromEntries(params.flatMap((name) => (address.get(name) ? [[name, address.get(name) ?? ''] as const] : [])))

/** The address of a view, or of none; what the page itself is about stays in it. */
export function viewAddress(
  address: URLSearchParams,
  views: TableViews,
  view: Pick<SavedView, 'id' | 'query'> | null,
): URLSearchParams {
  const next = new URLSearchParams(address)
  for (const name of ['page', ...views.params]) next.delete(name)
  for (const [name, wanted] of Object.entries(view?.query ?? {})) next.set(name, wanted)
  if (view === null && views.first === null) next.delete(VIEW)
  else next.set(VIEW, view?.id ?? NO_VIEW)
  return next
}

/** Whether a table is set otherwise than a view sets it. */
export const differsFrom = (view: ViewState, now: ViewState): boolean => textOf(view) !== textOf(now)

const textOf = ({ query, hidden, density }: ViewState): string =>
  JSON.stringify([Object.entries(query).toSorted(([a], [b]) => (a < b ? -1 : 1)), hidden.toSorted(), density])
