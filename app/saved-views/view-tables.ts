import { z } from 'zod'
import { readTableState } from '#components/table/table-state.ts'
import { activityKinds, outcomeWords } from '#lib/activity/activity-filter.ts'
import type { ViewedTable } from '#lib/authorization/table.ts'
import { caseLists } from '#lib/disputes/queue/queue.ts'
import type { ViewState } from '#lib/session/saved-view.ts'
import { sessionOrders } from '#lib/session/sessions-of-others.ts'
import { lineStatuses } from '#lib/statements/statement-view.ts'
import { ME } from '#lib/values/address-filter.ts'
import { holdsCardNumber, visibleText } from '#lib/values/text.ts'
import { isDay, isDayOrRelative, isZone } from '#lib/values/time.ts'
import { ownProperty } from '#lib/values/words.ts'
import { filterRules } from '../(console)/disputes/queue-address.ts'

export interface ViewTable {
  /** Filter parameters and their validators. A search for a person or a reference is not saved in views. */
  readonly filters: Readonly<Record<string, (value: string) => boolean>>
  /** Parameters of such a search that a view narrows. */
  readonly searches?: readonly string[]
  readonly sortable: readonly string[]
  readonly columns: readonly string[]
}

const oneOf =
  (known: readonly string[]) =>
  (value: string): boolean =>
    known.includes(value)

/** A state or type of the service, which may add new ones. */
const isWord = (value: string): boolean => /^[\w-]{1,40}$/.test(value)

const days = { from: isDay, to: isDay, zone: isZone }

/** `view-tables.test.ts` compares this with the tables. */
export const viewTables: Readonly<Record<ViewedTable, ViewTable>> = {
  'account-history': {
    filters: { state: isWord, type: isWord, ...days },
    sortable: [],
    columns: ['time', 'type', 'state', 'other', 'debit', 'credit', 'fee', 'note', 'act'],
  },
  changes: {
    filters: {
      ...{ person: oneOf([ME]), kind: oneOf(activityKinds), outcome: oneOf(Object.keys(outcomeWords)) },
      ...{ from: isDayOrRelative, to: isDayOrRelative, zone: isZone },
    },
    searches: ['text'],
    sortable: [],
    columns: ['time', 'by', 'about', 'amount', 'outcome'],
  },
  'confirmed-deposits': {
    filters: {},
    sortable: [],
    columns: ['amount', 'state', 'hold', 'by', 'time', 'holder', 'bank-reference', 'act'],
  },
  'dispute-queue': {
    filters: {
      ...filterRules,
      status: (value) => caseLists.some((list) => list === value.toUpperCase()),
      text: (value) => !holdsCardNumber(value),
    },
    sortable: ['status', 'outcome', 'age', 'resolved', 'last', 'amount'],
    columns: [
      'status',
      'outcome',
      'category',
      'age',
      'turn',
      'resolved',
      'amount',
      'state',
      'party',
      'against',
      'claim',
    ],
  },
  'issued-cards': {
    filters: {},
    sortable: [],
    columns: ['last-four', 'holder', 'name', 'type', 'issued', 'by', 'came', 'blocked', 'act'],
  },
  'merchant-terminals': {
    filters: {},
    sortable: ['uid', 'label', 'state', 'registered', 'updated'],
    columns: ['label', 'state', 'registered', 'updated', 'act'],
  },
  'signed-in': {
    filters: {},
    sortable: sessionOrders,
    columns: ['user-id', 'started', 'active', 'browser', 'address', 'method', 'act'],
  },
  'statement-lines': {
    filters: { show: oneOf(lineStatuses) },
    sortable: [],
    columns: ['amount', 'deposit', 'bank-reference'],
  },
}

export const isViewedTable = (name: string): name is ViewedTable => Object.hasOwn(viewTables, name)

const COLUMNS_MAX = 40
const QUERY_MAX = 14
const VALUE_MAX_CHARS = 100

const shape = z.strictObject({
  query: z
    .record(z.string().max(VALUE_MAX_CHARS), z.string().min(1).max(VALUE_MAX_CHARS))
    .refine((query) => Object.keys(query).length <= QUERY_MAX),
  hidden: z.array(z.string().max(VALUE_MAX_CHARS)).max(COLUMNS_MAX),
  density: z.enum(['normal', 'compact']),
})

interface ReadViewState {
  /** The settings that the table supports. */
  readonly state: ViewState
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
  const isKept = (name: string, value: string): boolean => {
    if (name === 'size') return String(read.state.size) === value
    if (name === 'sort') return read.state.sort !== null
    return ownProperty(table.filters, name)?.(value) === true
  }
  const parameters = Object.entries(query)
  const isColumn = (column: string): boolean => table.columns.includes(column)
  return {
    state: {
      query: Object.fromEntries(parameters.filter(([name, value]) => isKept(name, value))),
      hidden: hidden.filter(isColumn),
      density,
    },
    gone: [
      ...parameters.filter(([name, value]) => !isKept(name, value)).map(([name, value]) => goneWords(name, value)),
      ...hidden.filter((column) => !isColumn(column)).map((column) => `the column “${visibleText(column)}”`),
    ],
  }
}

function goneWords(name: string, value: string): string {
  if (name === 'sort') return `the order by “${visibleText(value.replace(/^-/, ''))}”`
  return name === 'size'
    ? `${visibleText(value)} rows a page`
    : `the filter ${visibleText(name)} “${visibleText(value)}”`
}
