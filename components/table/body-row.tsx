import { type Column, FlexRender, type Row as TanStackRow } from '@tanstack/react-table'
import { FileWarning } from 'lucide-react'
import { memo } from 'react'
import { cn } from '#components/ui/cn.ts'
import { TableCell, TableRow } from '#components/ui/table.tsx'
import { TabStop } from '#components/values/tab-stop.ts'
import type { Row } from '#lib/contract/wire.ts'
import { actionCell, type Features, fillingCell } from './columns.ts'

/** Rows are 36 px high, 30 where the person wants them compact; a page that loads has them at the same height. */
export const rowHeight = 'h-9 group-data-[density=compact]/table:h-7.5'

interface BodyRowProps<Value> {
  row: TanStackRow<Features, Row<Value>>
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
    <TableRow
      data-row={row.id}
      className="bg-card hover:bg-background has-checked:bg-muted has-focus-visible:bg-accent [&:last-child>td]:border-b-transparent"
    >
      {row.original.readable ? (
        <TabStop value={stop ? 'row' : 'none'}>
          {columns.map(({ id, columnDef }) => {
            const cell = cells.find(({ column }) => column.id === id)
            return (
              <TableCell
                key={id}
                className={cn(
                  rowHeight,
                  'whitespace-nowrap first:sticky first:left-0 first:z-[1] first:border-r first:bg-inherit wide:first:border-r-0',
                  columnDef.meta?.align === 'right' && 'text-right',
                  columnDef.meta?.fills && fillingCell,
                  columnDef.meta?.quietHead && `${actionCell} bg-inherit`,
                )}
              >
                {cell === undefined ? null : <FlexRender cell={cell} />}
              </TableCell>
            )
          })}
        </TabStop>
      ) : (
        <Unreadable place={place} span={columns.length} />
      )}
    </TableRow>
  )
}

/** It is rendered again when it itself changed, not with every step through the table. */
export const BodyRow = memo(BodyRowParts) as typeof BodyRowParts

const Unreadable = ({ place, span }: { place: number; span: number }) => (
  <TableCell colSpan={span} className={rowHeight}>
    <span className="sticky left-3.5 inline-flex items-center gap-2 text-attention">
      <FileWarning aria-hidden className="size-4 shrink-0" />
      Row {place.toLocaleString('en-US')} cannot be read: it does not fit the service’s own interface.
    </span>
  </TableCell>
)
