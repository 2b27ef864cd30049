import type { Column, Header, Row as TanStackRow } from '@tanstack/react-table'
import { memo, type ReactNode, type RefObject, Suspense, useEffect, useId, useRef, useState } from 'react'
import { ProblemPanel } from '#components/service/problem-panel.tsx'
import { buttonVariants } from '#components/ui/button.tsx'
import { cn } from '#components/ui/cn.ts'
import { ArrowDown, ArrowUp, ArrowUpDown, FileWarning } from '#components/ui/icons.tsx'
import { TabStop } from '#components/ui/kbd.tsx'
import { onDemand } from '#components/ui/on-demand.tsx'
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '#components/ui/table.tsx'
import { usePhone } from '#components/ui/use-phone.ts'
import type { Row } from '#lib/contract/endpoint.ts'
import { counted, formatCount } from '#lib/values/words.ts'
import { type Features, fillingCell } from './columns.ts'
import { AddressLink, type TableAddress } from './table-address.tsx'
import type { Density } from './table-preference.tsx'
import { lastPage, type Sort } from './table-state.ts'
import { useRowKeys } from './use-row-keys.ts'
import type { KitTable } from './use-table.ts'

const SortBy = onDemand(() => import('./sort-by.tsx').then((it) => it.SortBy))

interface TableGridProps<Value> {
  kit: KitTable<Value>
  label: string
  density: Density
  empty: ReactNode
  opensByClick: boolean
}

export function TableGrid<Value>({ kit, label, density, empty, opensByClick }: TableGridProps<Value>) {
  const { address, table, reading, firstPlace } = kit
  const { page, size } = address.state
  const { rows } = table.getRowModel()
  const columns = table.getVisibleLeafColumns()
  const keysId = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const openable = rows.filter((row) => row.original.readable).map(({ id }) => id)
  const stop = useRowKeys(scroller, openable, `${page}/${size}`)
  useRowClicks(scroller, opensByClick)
  const loading = useSlow(address.pending) || reading.kind === 'loading'
  useHeadInTable(scroller, loading)
  useStartInView(scroller, address)
  const isPhone = usePhone()
  return (
    <div
      ref={scroller}
      data-table
      // Without rows, only the scroller can take the focus for scrolling by keyboard.
      tabIndex={loading || rows.length > 0 ? undefined : 0}
      // `relative` contains the absolutely positioned texts for screen readers.
      className={cn(
        'relative overscroll-x-contain print:overflow-visible',
        loading ? 'overflow-clip' : 'overflow-x-auto overflow-y-clip',
      )}
    >
      <p id={keysId} className="sr-only select-none">
        j and k move between rows, left and right within a row. Enter opens it, c copies the focused value.
      </p>
      <SortByOnPhone columns={columns} address={address} isPhone={isPhone} />
      {/* As cards, rows and cells lose their display, and with it their roles in some browsers. */}
      <Table
        role={isPhone ? 'table' : undefined}
        tabIndex={-1}
        aria-label={label}
        aria-busy={loading || address.pending}
        aria-describedby={keysId}
        data-density={density}
        className={cn('group/table -outline-offset-2', opensByClick && '[&_[data-row]]:cursor-pointer')}
      >
        <TableHeader className="sticky top-(--bar-height) z-10 in-data-boxed:static max-sm:not-print:hidden print:static">
          <TableRow>
            {table.getFlatHeaders().map((header) => (
              <HeadCell key={header.id} header={header} address={address} />
            ))}
          </TableRow>
        </TableHeader>
        <TableBody role={isPhone ? 'rowgroup' : undefined}>
          {loading ? <OutlineRows count={rows.length === 0 ? size : rows.length} columns={columns} /> : null}
          {loading
            ? null
            : rows.map((row) => (
                <BodyRow
                  key={row.id}
                  row={row}
                  columns={columns}
                  stop={row.id === stop}
                  isCard={isPhone}
                  place={firstPlace + row.index}
                />
              ))}
        </TableBody>
      </Table>
      {loading || rows.length > 0 ? null : (
        <div className="sticky left-0 grid min-h-36 items-center">
          <NoRows kit={kit} empty={empty} />
        </div>
      )}
    </div>
  )
}

interface SortByOnPhoneProps<Value> {
  columns: readonly Column<Features, Row<Value>>[]
  address: TableAddress
  isPhone: boolean
}

function SortByOnPhone<Value>({ columns, address, isPhone }: SortByOnPhoneProps<Value>) {
  const sortable = columns.filter((column) => column.getCanSort())
  if (sortable.length === 0) return null
  return (
    <div className="min-h-13 border-b sm:hidden print:hidden">
      <Suspense>
        {isPhone ? (
          <SortBy
            columns={sortable.map(({ id, columnDef }) => ({ id, head: String(columnDef.header) }))}
            address={address}
          />
        ) : null}
      </Suspense>
    </div>
  )
}

/** Some browsers cannot scroll in one direction alone: there, a sticky head would cover the first row. */
function useHeadInTable(grid: RefObject<HTMLElement | null>, loading: boolean): void {
  useEffect(() => {
    const shown = grid.current
    if (!loading && shown !== null && getComputedStyle(shown).overflowY !== 'clip') shown.dataset.boxed = ''
  }, [grid, loading])
}

/** After a change of page by a link. A history step restores the scroll position instead. */
function useStartInView(grid: RefObject<HTMLElement | null>, { state: { page, size }, pending }: TableAddress): void {
  const going = useRef(false)
  useEffect(() => {
    if (pending) going.current = true
  }, [pending])
  useEffect(() => {
    const start = page > 0 && size > 0 ? grid.current : null
    if (going.current && start !== null && start.getBoundingClientRect().top < 0) start.scrollIntoView()
    going.current = false
  }, [grid, page, size])
}

/** A failure never looks like an empty table. */
function NoRows<Value>({ kit, empty }: Pick<TableGridProps<Value>, 'kit' | 'empty'>) {
  const { address, reading, total } = kit
  if (reading.kind === 'problem') return <ProblemPanel problem={reading.problem} />
  if (total !== null && total > 0) return <PastTheEnd address={address} total={total} />
  return <EmptyMessage>{empty}</EmptyMessage>
}

const EmptyMessage = ({ children }: { children: ReactNode }) => (
  <div className="mx-auto max-w-prose px-3.5 py-4 text-center text-secondary-foreground text-sm">{children}</div>
)

function PastTheEnd({ address, total }: { address: TableAddress; total: number }) {
  const { page, size } = address.state
  const last = lastPage(total, size)
  return (
    <EmptyMessage>
      <p className="font-semibold text-foreground">There is no page {formatCount(page)}</p>
      <p className="mb-3">
        {counted(total, 'row fills', 'rows fill')} {counted(last, 'page')} of {size}.
      </p>
      <AddressLink address={address} change={{ page: last }} className={buttonVariants({ variant: 'outline' })}>
        Go to page {formatCount(last)}
      </AddressLink>
    </EmptyMessage>
  )
}

function OutlineRows<Value>({ count, columns }: { count: number; columns: readonly Column<Features, Row<Value>>[] }) {
  return Array.from({ length: count }, (_, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: outlines are all alike and never change places.
    <tr key={at} aria-hidden className="waiting-row">
      {columns.map(({ id, columnDef }) => (
        <td key={id} className={columnDef.meta?.align === 'right' ? 'to-right' : undefined} />
      ))}
    </tr>
  ))
}

/** A faster answer shows no placeholders. */
const SLOW_AFTER_MS = 150

function useSlow(pending: boolean): boolean {
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    if (!pending) return setSlow(false)
    const timer = setTimeout(() => setSlow(true), SLOW_AFTER_MS)
    return () => clearTimeout(timer)
  }, [pending])
  return slow && pending
}

const ARIA = { asc: 'ascending', desc: 'descending' } as const

/** Ascending, then descending, then unsorted. */
function HeadCell<Value>({ header, address }: { header: Header<Features, Row<Value>>; address: TableAddress }) {
  const { column } = header
  const { meta } = column.columnDef
  const head = String(column.columnDef.header)
  const sorted = column.getIsSorted()
  return (
    <TableHead
      aria-sort={sorted === false ? undefined : ARIA[sorted]}
      className={cn(
        'bg-card first:sticky first:left-0 first:z-[1] first:border-r wide:first:border-r-0',
        meta?.align === 'right' ? 'text-right' : 'text-left',
        meta?.fills && fillingCell,
      )}
    >
      {meta?.beforeHead}
      {column.getCanSort() ? (
        <AddressLink
          address={address}
          change={{ sort: nextSort(column.id, sorted) }}
          className="inline-flex min-h-6 items-center gap-1 rounded-sm hover:text-foreground [&_svg]:size-3"
        >
          {head}
          <SortIcon sorted={sorted} />
        </AddressLink>
      ) : (
        <span className={meta?.quietHead === true ? 'sr-only select-none' : undefined}>{head}</span>
      )}
    </TableHead>
  )
}

const nextSort = (column: string, sorted: false | 'asc' | 'desc'): Sort | null =>
  sorted === 'desc' ? null : { column, descending: sorted === 'asc' }

function SortIcon({ sorted }: { sorted: false | 'asc' | 'desc' }) {
  if (sorted === false) return <ArrowUpDown aria-hidden className="opacity-50" />
  return sorted === 'asc' ? <ArrowUp aria-hidden /> : <ArrowDown aria-hidden />
}

const OWN_CLICK = 'a, button, input, select, label, [role="tooltip"]'

/** Opens the row's first link. Clicks with a modifier or on a control are left alone. */
function useRowClicks(grid: RefObject<HTMLElement | null>, on: boolean): void {
  useEffect(() => {
    const shown = grid.current
    if (!on || shown === null) return
    const onClick = (event: MouseEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
      if (!(event.target instanceof Element) || event.target.closest(OWN_CLICK) !== null) return
      // The operator may be selecting text.
      if (window.getSelection()?.toString()) return
      event.target.closest('[data-row]')?.querySelector<HTMLAnchorElement>('a[href]')?.click()
    }
    shown.addEventListener('click', onClick)
    return () => shown.removeEventListener('click', onClick)
  }, [grid, on])
}

const rowHeight = 'h-9 group-data-[density=compact]/table:h-7.5'

interface BodyRowProps<Value> {
  row: TanStackRow<Features, Row<Value>>
  columns: readonly Column<Features, Row<Value>>[]
  stop: boolean
  isCard: boolean
  /** Among all rows, from 1. */
  place: number
}

function BodyRowParts<Value>({ row, columns, stop, isCard, place }: BodyRowProps<Value>) {
  const { original } = row
  return (
    <tr data-row={row.id} role={isCard ? 'row' : undefined} className="body-row">
      {original.readable ? (
        <TabStop value={stop ? 'row' : 'none'}>
          {columns.map(({ id, columnDef: { header, meta } }) => {
            const shown = meta?.show(original.value)
            const isLabelled = isCard && meta?.quietHead !== true && shown !== null
            return (
              <td key={id} role={isCard ? 'cell' : undefined} className={meta?.cellClass}>
                {isLabelled ? <span className="card-label">{String(header)} </span> : null}
                {shown}
              </td>
            )
          })}
        </TabStop>
      ) : (
        <Unreadable place={original.place ?? place} span={columns.length} />
      )}
    </tr>
  )
}

/** Moving between rows must not render them all. */
const BodyRow = memo(BodyRowParts) as typeof BodyRowParts

const Unreadable = ({ place, span }: { place: number; span: number }) => (
  <TableCell colSpan={span} className={rowHeight}>
    <span className="sticky left-3.5 inline-flex items-center gap-2 text-attention">
      <FileWarning aria-hidden className="size-4 shrink-0" />
      Row {formatCount(place)} cannot be read: its data is missing or not valid.
    </span>
  </TableCell>
)
