'use client'

import { type Column, FlexRender, type Row as TableRow } from '@tanstack/react-table'
import { FileWarning } from 'lucide-react'
import { memo } from 'react'
import { classes } from '#components/ui/classes.ts'
import { TabStop } from '#components/ui/tab-stop.ts'
import type { Row } from '#lib/contract/wire.ts'
import { actionCell, type Features } from './columns.ts'

/** Rows are 36 px high, 30 where the person wants them compact; a page that loads has them at the same height. */
export const rowHeight = 'h-9 group-data-[density=compact]/table:h-7.5'

interface BodyRowProps<Value> {
  row: TableRow<Features, Row<Value>>
  /** The columns that are shown, in order. */
  columns: readonly Column<Features, Row<Value>>[]
  /** Whether the Tab key stops in this row. */
  stop: boolean
  /** Where it stands among all rows, from 1. */
  place: number
}

/** One row. It opens by the first link in it. */
function BodyRowParts<Value>({ row, columns, stop, place }: BodyRowProps<Value>) {
  const cells = row.getAllCells()
  return (
    <tr
      data-row={row.id}
      className="bg-surface hover:bg-paper has-focus-visible:bg-accent-wash [&:last-child>td]:border-b-0"
    >
      {row.original.readable ? (
        <TabStop value={stop}>
          {columns.map(({ id, columnDef }) => {
            const cell = cells.find(({ column }) => column.id === id)
            return (
              <td
                key={id}
                className={classes(
                  rowHeight,
                  'whitespace-nowrap border-line border-b px-2.5 first:sticky first:left-0 first:z-[1] first:border-r first:bg-inherit first:pl-3.5 wide:first:border-r-0 last:pr-3.5',
                  columnDef.meta?.align === 'right' && 'text-right',
                  columnDef.meta?.quietHead && `${actionCell} bg-inherit`,
                )}
              >
                {cell === undefined ? null : <FlexRender cell={cell} />}
              </td>
            )
          })}
        </TabStop>
      ) : (
        <Unreadable place={place} span={columns.length} />
      )}
    </tr>
  )
}

/** It is rendered again when it itself changed, not with every step through the table. */
export const BodyRow = memo(BodyRowParts) as typeof BodyRowParts

const Unreadable = ({ place, span }: { place: number; span: number }) => (
  <td colSpan={span} className={classes(rowHeight, 'border-line border-b px-2.5 first:pl-3.5 last:pr-3.5')}>
    <span className="sticky left-3.5 inline-flex items-center gap-2 text-attention">
      <FileWarning aria-hidden className="size-4 shrink-0" />
      Row {place.toLocaleString('en-US')} cannot be read: it does not fit the service’s own interface.
    </span>
  </td>
)
