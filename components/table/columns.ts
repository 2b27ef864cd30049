import {
  type ColumnDef,
  columnFilteringFeature,
  columnVisibilityFeature,
  createFilteredRowModel,
  createPaginatedRowModel,
  createSortedRowModel,
  metaHelper,
  type ReactTable,
  rowPaginationFeature,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/react-table'
import type { ReactNode } from 'react'
import { cn } from '#components/ui/cn.ts'
import type { Row } from '#lib/contract/endpoint.ts'

export interface Column<Value> {
  /** In addresses and saved preferences: letters and dashes only. */
  readonly id: string
  readonly head: string
  readonly cell: (value: Value) => ReactNode
  readonly align?: 'right'
  /** Cannot be hidden, because it identifies the row or has its actions. */
  readonly always?: true
  readonly beforeHead?: ReactNode
  /** Takes the remaining width. */
  readonly fills?: true
  /** Below its label on phones, where other values are beside theirs. */
  readonly isText?: true
  /** The heading is for screen readers only. */
  readonly quietHead?: true
  /** Ascending. Makes the column sortable when the browser has all rows. */
  readonly compare?: (a: Value, b: Value) => number
  /** The server can sort by it. */
  readonly ordered?: boolean
  /** Makes the column filterable when the browser has all rows. */
  readonly matches?: (value: Value, wanted: string) => boolean
}

interface ColumnMeta {
  show(value: unknown): ReactNode
  readonly cellClass: string
  readonly align: 'left' | 'right'
  readonly quietHead: boolean
  readonly beforeHead: ReactNode
  readonly fills: boolean
}

export const features = tableFeatures({
  columnVisibilityFeature,
  columnFilteringFeature,
  filteredRowModel: createFilteredRowModel(),
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  rowPaginationFeature,
  paginatedRowModel: createPaginatedRowModel(),
  columnMeta: metaHelper<ColumnMeta>(),
})

export type Features = typeof features

export const fillingCell = 'w-full sm:min-w-[16ch] sm:max-w-0'

export type AnyTable<Value> = ReactTable<Features, Row<Value>>

type Def<Value> = ColumnDef<Features, Row<Value>>

/** An unreadable row has no cells: it is sorted last, and no filter hides it. */
export const columnDefs = <Value>(columns: readonly Column<Value>[]): Def<Value>[] => columns.map(columnDef)

function columnDef<Value>(column: Column<Value>): Def<Value> {
  const { id, head, cell, align = 'left', always, beforeHead, compare, ordered, matches } = column
  const [fills, quietHead] = [column.fills === true, column.quietHead === true]
  const cellClass = cn(
    'body-cell',
    align === 'right' && 'text-right',
    fills && fillingCell,
    (fills || quietHead || column.isText) && 'card-text',
  )
  return {
    id,
    header: head,
    accessorFn: (row) => (row.readable ? row.value : undefined),
    meta: { show: cell, cellClass, align, quietHead, beforeHead, fills },
    enableHiding: always !== true,
    enableSorting: compare !== undefined || ordered === true,
    sortUndefined: 'last',
    sortFn: ({ original: a }, { original: b }) => (a.readable && b.readable ? (compare?.(a.value, b.value) ?? 0) : 0),
    enableColumnFilter: matches !== undefined,
    filterFn: ({ original: row }, _id, wanted: string) => !row.readable || (matches?.(row.value, wanted) ?? true),
  }
}
