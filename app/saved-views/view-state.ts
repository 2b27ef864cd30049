import { z } from 'zod'
import { readTableState } from '#components/table/table-state.ts'
import type { ViewState } from '#lib/session/saved-view.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { ownProperty } from '#lib/values/words.ts'
import type { ViewTable } from './view-tables.ts'

const COLUMNS_MAX = 40
const QUERY_MAX = 12
const VALUE_MAX_CHARS = 100

const shape = z.strictObject({
  query: z
    .record(z.string().max(VALUE_MAX_CHARS), z.string().min(1).max(VALUE_MAX_CHARS))
    .refine((query) => Object.keys(query).length <= QUERY_MAX),
  hidden: z.array(z.string().max(VALUE_MAX_CHARS)).max(COLUMNS_MAX),
  density: z.enum(['normal', 'compact']),
})

export interface ReadViewState {
  /** The settings that the table supports. */
  readonly state: ViewState
  /** Descriptions of the settings that it does not support. */
  readonly gone: readonly string[]
}

/** Validates a state with the parser of the table's address; null when it is malformed. */
export function readViewState(table: ViewTable, given: unknown): ReadViewState | null {
  const parsed = shape.safeParse(given)
  if (!parsed.success) return null
  const { query, hidden, density } = parsed.data
  const read = readTableState(new URLSearchParams(query), {
    sortable: table.sortable,
    filterable: Object.keys(table.filters),
  })
  const isKept = (name: string, wanted: string): boolean => {
    if (name === 'size') return String(read.state.size) === wanted
    if (name === 'sort') return read.state.sort !== null
    return ownProperty(table.filters, name)?.(wanted) === true
  }
  const asked = Object.entries(query)
  const isColumn = (column: string): boolean => table.columns.includes(column)
  return {
    state: {
      query: Object.fromEntries(asked.filter(([name, wanted]) => isKept(name, wanted))),
      hidden: hidden.filter(isColumn),
      density,
    },
    gone: [
      ...asked.filter(([name, wanted]) => !isKept(name, wanted)).map(([name, wanted]) => goneWords(name, wanted)),
      ...hidden.filter((column) => !isColumn(column)).map((column) => `the column “${visibleText(column)}”`),
    ],
  }
}

function goneWords(name: string, wanted: string): string {
  if (name === 'sort') return `the order by “${visibleText(wanted.replace(/^-/, ''))}”`
  return name === 'size'
    ? `${visibleText(wanted)} rows a page`
    : `the filter ${visibleText(name)} “${visibleText(wanted)}”`
}
