import type { Column } from '@tanstack/react-table'
import { classes } from '#components/ui/classes.ts'
import type { Row } from '#lib/contract/wire.ts'
import { rowHeight } from './body-row.tsx'
import type { Features } from './columns.ts'

interface OutlineRowsProps<Value> {
  count: number
  columns: readonly Column<Features, Row<Value>>[]
}

/** Rows that are on their way, as high as they will be. */
export function OutlineRows<Value>({ count, columns }: OutlineRowsProps<Value>) {
  return Array.from({ length: count }, (_, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: outlines are all alike and never change places.
    <tr key={at} aria-hidden className="[&:last-child>td]:border-b-0">
      {columns.map(({ id, columnDef }) => (
        <td key={id} className={classes(rowHeight, 'border-line border-b px-2.5 first:pl-3.5 last:pr-3.5')}>
          <span
            className={classes(
              'block h-2.5 max-w-full animate-pulse rounded bg-line',
              columnDef.meta?.align === 'right' ? 'ml-auto w-16' : 'w-24',
            )}
          />
        </td>
      ))}
    </tr>
  ))
}
