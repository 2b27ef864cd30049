import type { ReactNode } from 'react'
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '#components/ui/table.tsx'

export interface PlainColumn {
  readonly title: string
  readonly head?: string
  readonly cell?: string
}

interface PlainTableProps {
  label: string
  columns: readonly PlainColumn[]
  rows: readonly (readonly ReactNode[])[]
  className?: string
  tableClass?: string
  children?: ReactNode
}

export const PlainTable = ({ label, columns, rows, className, tableClass, children }: PlainTableProps) => (
  <section
    aria-label={label}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    tabIndex={0}
    className={className}
  >
    <Table className={tableClass}>
      <TableHeader>
        <TableRow>
          {columns.map(({ title, head }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one title.
            <TableHead key={at} className={head}>
              {title}
            </TableHead>
          ))}
        </TableRow>
      </TableHeader>
      <TableBody>
        {rows.map((cells, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows never change places.
          <TableRow key={row} className="[&:last-child>td]:border-b-0">
            {columns.map(({ cell }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name.
              <TableCell key={at} className={cell}>
                {cells[at]}
              </TableCell>
            ))}
          </TableRow>
        ))}
      </TableBody>
    </Table>
    {children}
  </section>
)
