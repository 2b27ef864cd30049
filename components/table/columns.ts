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
import type { Row } from '#lib/contract/wire.ts'

/** A column as a page describes it. */
export interface Column<Value> {
  /** Names it in the address and in what a person keeps: letters and dashes. */
  readonly id: string
  readonly head: string
  readonly cell: (value: Value) => ReactNode
  /** Amounts stand at the right. */
  readonly align?: 'right'
  /** It cannot be hidden: without it a row is not to be recognised. */
  readonly always?: true
  /** Stands before the heading: what selects all rows, for example. */
  readonly beforeHead?: ReactNode
  /** It takes what room the others leave, and cuts what does not fit. */
  readonly fills?: true
  /** No heading is shown, only told: the column holds what can be done. */
  readonly quietHead?: true
  /** Ascending. Makes the column sortable where all rows are at hand. */
  readonly compare?: (a: Value, b: Value) => number
  /** The server puts the rows in order by it, where it gives them page by page. */
  readonly ordered?: boolean
  /** Whether a row is among those wanted. Makes the column a filter where all rows are at hand. */
  readonly matches?: (value: Value, wanted: string) => boolean
}

interface ColumnMeta {
  /** What a row shows in it. */
  show(value: unknown): ReactNode
  /** Of its cells. */
  readonly cellClass: string
  readonly align: 'left' | 'right'
  readonly quietHead: boolean
  readonly beforeHead: ReactNode
  readonly fills: boolean
}

/** What the tables here take of TanStack Table. */
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

/** What can be done stays in sight at the right, where there is room for it beside the first column. */
/** Never narrower than a few words. */
export const fillingCell = 'w-full min-w-[16ch] max-w-0'

export const actionCell = 'sm:sticky sm:right-0 sm:z-[1] sm:border-l wide:border-l-0'

export type AnyTable<Value> = ReactTable<Features, Row<Value>>

type Def<Value> = ColumnDef<Features, Row<Value>>

/** Columns in TanStack's terms. A row that cannot be read has no cells: it is sorted last, and no filter hides it. */
export const columnDefs = <Value>(columns: readonly Column<Value>[]): Def<Value>[] => columns.map(columnDef)

function columnDef<Value>(column: Column<Value>): Def<Value> {
  const { id, head, cell, align = 'left', always, quietHead, beforeHead, fills, compare, ordered, matches } = column
  const cellClass = cn(
    'body-cell',
    align === 'right' && 'text-right',
    fills && fillingCell,
    quietHead && `${actionCell} bg-inherit`,
  )
  return {
    id,
    header: head,
    accessorFn: (row) => (row.readable ? row.value : undefined),
    meta: { show: cell, cellClass, align, quietHead: quietHead === true, beforeHead, fills: fills === true },
    enableHiding: always !== true,
    enableSorting: compare !== undefined || ordered === true,
    sortUndefined: 'last',
    sortFn: ({ original: a }, { original: b }) => (a.readable && b.readable ? (compare?.(a.value, b.value) ?? 0) : 0),
    enableColumnFilter: matches !== undefined,
    filterFn: ({ original: row }, _id, wanted: string) => !row.readable || (matches?.(row.value, wanted) ?? true),
  }
}
