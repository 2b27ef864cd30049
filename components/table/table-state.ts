import { visibleText } from '#lib/values/text.ts'

/** The service returns at most 100 rows per page (interface.md, "Limits"). */
export const PAGE_SIZES = [20, 50, 100] as const

export type PageSize = (typeof PAGE_SIZES)[number]

export interface Sort {
  readonly column: string
  readonly descending: boolean
}

export interface TableState {
  /** From 1. */
  readonly page: number
  readonly size: PageSize
  readonly sort: Sort | null
  /** By column id. */
  readonly filters: Readonly<Record<string, string>>
}

/** Tables that the service pages have none. */
export interface Addressable {
  readonly sortable: readonly string[]
  readonly filterable: readonly string[]
}

export interface ReadTableState {
  readonly state: TableState
  /** Invalid parts of the address; each fell back to its default. */
  readonly faults: readonly string[]
}

const QUOTED_CHARS = 40
const NOTHING: Addressable = { sortable: [], filterable: [] }

export type SearchParams = Readonly<Record<string, string | string[] | undefined>>

/** The first of repeated names counts. */
export function queryOf(search: SearchParams): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    const first = Array.isArray(value) ? value[0] : value
    if (first !== undefined) query.set(name, first)
  }
  return query
}

export function readTableState(query: URLSearchParams, { sortable, filterable } = NOTHING): ReadTableState {
  const faults: string[] = []
  const page = readPage(query.get('page'), faults)
  const size = readSize(query.get('size'), faults)
  const sort = readSort(query.get('sort'), sortable, faults)
  const filters = filterable.flatMap((column) => {
    const wanted = query.get(column)
    return wanted === null || wanted === '' ? [] : [[column, wanted] as const]
  })
  return { state: { page, size, sort, filters: Object.fromEntries(filters) }, faults }
}

function readPage(text: string | null, faults: string[]): number {
  if (text === null) return 1
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  faults.push(`Page ${quote(text)} in the address is not valid. Showing page 1.`)
  return 1
}

function readSize(text: string | null, faults: string[]): PageSize {
  const [usual] = PAGE_SIZES
  if (text === null) return usual
  const size = PAGE_SIZES.find((known) => String(known) === text)
  if (size !== undefined) return size
  faults.push(`${quote(text)} rows a page is not available (${PAGE_SIZES.join(', ')}). Showing ${usual}.`)
  return usual
}

function readSort(text: string | null, sortable: readonly string[], faults: string[]): Sort | null {
  if (text === null || sortable.length === 0) return null
  const descending = text.startsWith('-')
  const column = descending ? text.slice(1) : text
  if (sortable.includes(column)) return { column, descending }
  faults.push(`This table cannot be sorted by ${quote(text)}.`)
  return null
}

function quote(text: string): string {
  const characters = [...visibleText(text)]
  return `“${characters.slice(0, QUOTED_CHARS).join('')}${characters.length > QUOTED_CHARS ? '…' : ''}”`
}

/** Omits defaults. A new size keeps the first row visible; a new order or filter starts at page 1. */
export function changedQuery(query: URLSearchParams, state: TableState, change: Partial<TableState>): URLSearchParams {
  const next = { ...state, ...change }
  const page = change.page ?? pageAfter(state, next, change)
  const changed = new URLSearchParams(query)
  put(changed, 'page', page === 1 ? '' : String(page))
  put(changed, 'size', next.size === PAGE_SIZES[0] ? '' : String(next.size))
  put(changed, 'sort', next.sort === null ? '' : `${next.sort.descending ? '-' : ''}${next.sort.column}`)
  for (const column of Object.keys({ ...state.filters, ...next.filters })) {
    put(changed, column, next.filters[column] ?? '')
  }
  return changed
}

function pageAfter(state: TableState, next: TableState, change: Partial<TableState>): number {
  if (change.sort !== undefined || change.filters !== undefined) return 1
  return Math.floor(((state.page - 1) * state.size) / next.size) + 1
}

function put(query: URLSearchParams, name: string, value: string): void {
  if (value === '') query.delete(name)
  else query.set(name, value)
}

export const lastPage = (total: number, size: number): number => Math.max(1, Math.ceil(total / size))
