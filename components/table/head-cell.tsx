'use client'

import type { Header } from '@tanstack/react-table'
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react'
import { classes } from '#components/ui/classes.ts'
import type { Row } from '#lib/contract/wire.ts'
import { AddressLink } from './address-link.tsx'
import { actionCell, type Features } from './columns.ts'
import type { Sort } from './table-state.ts'
import type { TableAddress } from './use-table-address.ts'

interface HeadCellProps<Value> {
  header: Header<Features, Row<Value>>
  address: TableAddress
}

const ARIA = { asc: 'ascending', desc: 'descending' } as const

/** A heading; where the rows can be sorted by it, a link that does so: up, then down, then as they come. */
export function HeadCell<Value>({ header, address }: HeadCellProps<Value>) {
  const { column } = header
  const { meta } = column.columnDef
  const head = String(column.columnDef.header)
  const sorted = column.getIsSorted()
  return (
    <th
      scope="col"
      aria-sort={sorted === false ? undefined : ARIA[sorted]}
      className={classes(
        'h-8 whitespace-nowrap border-line border-b bg-surface px-2.5 font-[550] text-ink-3 text-xs first:sticky first:left-0 first:z-[1] first:border-r first:pl-3.5 wide:first:border-r-0 last:pr-3.5',
        meta?.align === 'right' ? 'text-right' : 'text-left',
        meta?.quietHead && actionCell,
      )}
    >
      {column.getCanSort() ? (
        <AddressLink
          address={address}
          change={{ sort: nextSort(column.id, sorted) }}
          className="inline-flex min-h-6 items-center gap-1 rounded-sm hover:text-ink [&_svg]:size-3"
        >
          {head}
          <SortIcon sorted={sorted} />
        </AddressLink>
      ) : (
        <span className={meta?.quietHead === true ? 'sr-only' : undefined}>{head}</span>
      )}
    </th>
  )
}

function nextSort(column: string, sorted: false | 'asc' | 'desc'): Sort | null {
  return sorted === 'desc' ? null : { column, descending: sorted === 'asc' }
}

function SortIcon({ sorted }: { sorted: false | 'asc' | 'desc' }) {
  if (sorted === false) return <ArrowUpDown aria-hidden className="opacity-50" />
  return sorted === 'asc' ? <ArrowUp aria-hidden /> : <ArrowDown aria-hidden />
}
