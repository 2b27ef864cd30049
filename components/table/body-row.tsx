import type { Column, Row as TanStackRow } from '@tanstack/react-table'
import { memo } from 'react'
import { FileWarning } from '#components/ui/icons.tsx'
import { TableCell } from '#components/ui/table.tsx'
import { TabStop } from '#components/values/tab-stop.ts'
import type { Row } from '#lib/contract/wire.ts'
import type { Features } from './columns.ts'

/** Rows are 36 px high, 30 where the person wants them compact; a page that loads has them at the same height. */
const rowHeight = 'h-9 group-data-[density=compact]/table:h-7.5'

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
  const { original } = row
  return (
    <tr data-row={row.id} className="body-row">
      {original.readable ? (
        <TabStop value={stop ? 'row' : 'none'}>
          {columns.map(({ id, columnDef: { meta } }) => (
            <td key={id} className={meta?.cellClass}>
              {meta?.show(original.value)}
            </td>
          ))}
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
  <TableCell colSpan={span} className={rowHeight}>
    <span className="sticky left-3.5 inline-flex items-center gap-2 text-attention">
      <FileWarning aria-hidden className="size-4 shrink-0" />
      Row {place.toLocaleString('en-US')} cannot be read: it does not fit the service’s own interface.
    </span>
  </TableCell>
)
