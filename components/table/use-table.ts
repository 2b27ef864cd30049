import { useTable } from '@tanstack/react-table'
import { useMemo } from 'react'
import type { Row } from '#lib/contract/endpoint.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { type AnyTable, type Column, columnDefs, features } from './columns.ts'
import type { TableAddress } from './table-address.tsx'
import { useTablePreference } from './table-preference.tsx'

export type Reading<Value> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'problem'; readonly problem: Problem }
  /** `total` is absent when `rows` holds all rows, or when it is not known; then `hasMore` says if rows follow. */
  | { readonly kind: 'rows'; readonly rows: readonly Row<Value>[]; readonly total?: number; readonly hasMore?: boolean }

export interface KitTable<Value> {
  /** Key of the saved columns and views. */
  readonly name: string
  readonly address: TableAddress
  readonly table: AnyTable<Value>
  readonly reading: Reading<Value>
  readonly total: number | null
  /** Among all rows, from 1. */
  readonly firstPlace: number
}

interface TableOptions<Value> {
  name: string
  columns: readonly Column<Value>[]
  reading: Reading<Value>
  address: TableAddress
  rowId: (value: Value) => string
}

export const byId = ({ id }: { readonly id: string }): string => id

const NO_ROWS: readonly never[] = []

export function usePageTable<Value>(options: TableOptions<Value>): KitTable<Value> {
  const { reading, address } = options
  const { page, size } = address.state
  const total = reading.kind === 'rows' ? (reading.total ?? null) : null
  return { ...options, table: useAnyTable(options, 'page'), total, firstPlace: (page - 1) * size + 1 }
}

/** All rows; sorts, filters and pages in the browser. */
export function useCompleteTable<Value>(options: TableOptions<Value>): KitTable<Value> {
  const table = useAnyTable(options, 'complete')
  const total = options.reading.kind === 'rows' ? table.getPrePaginatedRowModel().rows.length : null
  return { ...options, table, total, firstPlace: 1 }
}

function useAnyTable<Value>(options: TableOptions<Value>, rows: 'page' | 'complete') {
  const { name, columns, reading, address, rowId } = options
  const { hidden } = useTablePreference(name)
  const { page, size, sort, filters } = address.state
  const manual = rows === 'page'
  const defs = useMemo(() => columnDefs(columns), [columns])
  const state = useMemo(
    () => ({
      columnVisibility: Object.fromEntries(
        columns.filter(({ id, always }) => always !== true && hidden.includes(id)).map(({ id }) => [id, false]),
      ),
      sorting: sort === null ? [] : [{ id: sort.column, desc: sort.descending }],
      columnFilters: Object.entries(filters).map(([id, value]) => ({ id, value })),
      pagination: { pageIndex: page - 1, pageSize: size },
    }),
    [columns, hidden, sort, filters, page, size],
  )
  return useTable<typeof features, Row<Value>>({
    features,
    columns: defs,
    data: reading.kind === 'rows' ? reading.rows : NO_ROWS,
    getRowId: (row, index) => (row.readable ? rowId(row.value) : String(index)),
    state,
    manualSorting: manual,
    manualFiltering: manual,
    manualPagination: manual,
    autoResetPageIndex: false,
  })
}
