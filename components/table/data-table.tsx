'use client'

import type { ReactNode } from 'react'
import { Panel } from '#components/ui/panel.tsx'
import { PagingFooter } from './paging-footer.tsx'
import { TableGrid } from './table-grid.tsx'
import { useTablePreference } from './table-preference.tsx'
import type { KitTable } from './use-table.ts'
import type { TableAddress } from './use-table-address.ts'
import { ViewMenu } from './view-menu.tsx'

interface DataTableProps<Value> {
  /** The name under which the person's choices are kept; the same that `kit` was made with. */
  name: string
  kit: KitTable<Value>
  address: TableAddress
  title: ReactNode
  /** What the rows are, for whoever listens: `Transactions of this user`. */
  label: string
  /** Beside the button for columns and rows. */
  tools?: ReactNode
  /** Between head and rows: work that goes on, or what came of it. */
  strip?: ReactNode
  /** Why there are no rows, and what to do. */
  empty: ReactNode
  /** A click anywhere in a row opens it. */
  opensByClick?: boolean
}

/** A table in its frame. Whatever happens to the rows, the frame stands. */
export function DataTable<Value>({
  name,
  kit,
  address,
  title,
  label,
  tools,
  strip,
  empty,
  opensByClick = false,
}: DataTableProps<Value>) {
  const preference = useTablePreference(name)
  return (
    <Panel
      title={title}
      aside={
        <>
          {tools}
          <ViewMenu table={kit.table} preference={preference} />
        </>
      }
      // The head and the footer stay in sight; the rows between them scroll.
      className="flex max-h-[max(28rem,calc(100dvh-13.5rem))] flex-col overflow-clip [&>:not([data-table])]:shrink-0"
    >
      {strip}
      {address.faults.map((fault) => (
        <p
          key={fault}
          role="status"
          className="border-line border-b bg-attention-wash px-3.5 py-2 text-attention text-sm"
        >
          {fault}
        </p>
      ))}
      <TableGrid
        kit={kit}
        address={address}
        label={label}
        density={preference.density}
        empty={empty}
        opensByClick={opensByClick}
      />
      <PagingFooter kit={kit} address={address} label={label} />
    </Panel>
  )
}
