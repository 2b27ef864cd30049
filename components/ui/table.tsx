import type { ComponentProps, ReactNode } from 'react'
import { cn } from './cn.ts'

export function Table({ className, ...rest }: ComponentProps<'table'>) {
  return (
    <table
      data-slot="table"
      className={cn('w-full border-separate border-spacing-0 text-left text-sm', className)}
      {...rest}
    />
  )
}

export function TableHeader(props: ComponentProps<'thead'>) {
  return <thead data-slot="table-header" {...props} />
}

export function TableBody(props: ComponentProps<'tbody'>) {
  return <tbody data-slot="table-body" {...props} />
}

export function TableRow(props: ComponentProps<'tr'>) {
  return <tr data-slot="table-row" {...props} />
}

export function TableHead({ className, scope = 'col', ...rest }: ComponentProps<'th'>) {
  return (
    <th
      data-slot="table-head"
      scope={scope}
      className={cn(
        'h-8 whitespace-nowrap border-b px-2.5 font-[550] text-muted-foreground text-xs first:pl-3.5 last:pr-3.5',
        className,
      )}
      {...rest}
    />
  )
}

export function TableCell({ className, ...rest }: ComponentProps<'td'>) {
  return <td data-slot="table-cell" className={cn('border-b px-2.5 first:pl-3.5 last:pr-3.5', className)} {...rest} />
}

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
