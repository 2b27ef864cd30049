import { visibleText } from '#lib/values/visible-text.ts'

/** The service gives at most 100 rows a page (interface.md, "Limits"). */
export const PAGE_SIZES = [20, 50, 100] as const

export type PageSize = (typeof PAGE_SIZES)[number]

export interface Sort {
  readonly column: string
  readonly descending: boolean
}

/** What an address says about a table. */
export interface TableState {
  /** From 1. */
  readonly page: number
  readonly size: PageSize
  readonly sort: Sort | null
  /** What is wanted, by column. */
  readonly filters: Readonly<Record<string, string>>
}

/** Which columns an address may sort and filter by. A table whose pages come from the service has none. */
export interface Addressable {
  readonly sortable: readonly string[]
  readonly filterable: readonly string[]
}

export interface ReadTableState {
  readonly state: TableState
  /** What the address asks for and cannot be had, in words; each fell back to what is usual. */
  readonly faults: readonly string[]
}

const QUOTED_CHARS = 40
const NOTHING: Addressable = { sortable: [], filterable: [] }

/** A page's `searchParams` as a query; of a name that comes twice, the first counts. */
export function queryOf(search: Readonly<Record<string, string | string[] | undefined>>): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    const first = Array.isArray(value) ? value[0] : value
    if (first !== undefined) query.set(name, first)
  }
  return query
}

/** Reads `page`, `size`, `sort` and the filters of a query. */
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
  faults.push(`The address asks for page ${quote(text)}. Pages are numbered from 1, so this is page 1.`)
  return 1
}

function readSize(text: string | null, faults: string[]): PageSize {
  const [usual] = PAGE_SIZES
  if (text === null) return usual
  const size = PAGE_SIZES.find((known) => String(known) === text)
  if (size !== undefined) return size
  faults.push(`The address asks for ${quote(text)} rows a page. It can be ${PAGE_SIZES.join(', ')}; this is ${usual}.`)
  return usual
}

function readSort(text: string | null, sortable: readonly string[], faults: string[]): Sort | null {
  if (text === null || sortable.length === 0) return null
  const descending = text.startsWith('-')
  const column = descending ? text.slice(1) : text
  if (sortable.includes(column)) return { column, descending }
  faults.push(`The address sorts by ${quote(text)}, which is no column to sort by.`)
  return null
}

function quote(text: string): string {
  const characters = [...visibleText(text)]
  return `“${characters.slice(0, QUOTED_CHARS).join('')}${characters.length > QUOTED_CHARS ? '…' : ''}”`
}

/**
 * The query with one thing about the table changed; the rest of it stays. What is usual is left out. Another size keeps
 * the first row in sight; another order or filter starts at page 1.
 */
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

/** The last page; an empty table has one. */
export const lastPage = (total: number, size: number): number => Math.max(1, Math.ceil(total / size))
