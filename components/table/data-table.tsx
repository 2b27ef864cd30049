import { useSearchParams } from 'next/navigation'
import { type ReactNode, Suspense, useEffect, useId, useRef, useState } from 'react'
import { Panel } from '#components/frame/panel.tsx'
import { Button } from '#components/ui/button.tsx'
import { cn } from '#components/ui/cn.ts'
import {
  ChevronFirst,
  ChevronLast,
  ChevronLeft,
  ChevronRight,
  type Icon,
  SlidersHorizontal,
} from '#components/ui/icons.tsx'
import { onDemand } from '#components/ui/on-demand.tsx'
import { visibleText } from '#lib/values/text.ts'
import { formatCount } from '#lib/values/words.ts'
import type { AnyTable } from './columns.ts'
import { useChosenView, useTableViews } from './saved-views.tsx'
import { AddressLink } from './table-address.tsx'
import { TableGrid } from './table-grid.tsx'
import { type TablePreference, useTablePreference } from './table-preference.tsx'
import { lastPage, PAGE_SIZES } from './table-state.ts'
import type { KitTable } from './use-table.ts'
import { differsFrom, queryIn } from './view-address.ts'

interface DataTableProps<Value> {
  kit: KitTable<Value>
  title: ReactNode
  /** For screen readers, for example `Transactions of this user`. */
  label: string
  tools?: ReactNode
  strip?: ReactNode
  below?: ReactNode
  empty: ReactNode
  opensByClick?: boolean
  /** `useArrivalFocus` moves the focus here. */
  arrival?: boolean
}

export function DataTable<Value>({
  kit,
  title,
  label,
  tools,
  strip,
  below,
  empty,
  opensByClick = false,
  arrival,
}: DataTableProps<Value>) {
  const { name, address } = kit
  const preference = useTablePreference(name)
  return (
    <Panel
      title={title}
      aside={
        <>
          {tools}
          <ViewMenu name={name} table={kit.table} preference={preference} />
        </>
      }
      data-arrival={arrival || undefined}
      tabIndex={arrival ? -1 : undefined}
      className="overflow-clip print:overflow-visible"
    >
      {strip}
      <AddressFaults faults={address.faults} />
      <ViewFaults table={name} />
      <TableGrid kit={kit} label={label} density={preference.density} empty={empty} opensByClick={opensByClick} />
      <div className="sticky bottom-0 z-10 rounded-b-lg bg-card short:static max-sm:not-has-data-below:static print:hidden">
        {below}
        <PagingFooter kit={kit} label={label} />
      </div>
    </Panel>
  )
}

export const AddressFaults = ({ faults }: { faults: readonly string[] }) =>
  faults.map((fault) => (
    <p key={fault} role="status" className="border-b bg-attention-wash px-3.5 py-2 text-attention text-sm">
      {fault}
    </p>
  ))

function PagingFooter<Value>({ kit, label }: { kit: KitTable<Value>; label: string }) {
  const { address } = kit
  const { page, size } = address.state
  const last = kit.total === null ? null : lastPage(kit.total, size)
  const hasMore = last === null ? kit.reading.kind === 'rows' && kit.reading.hasMore === true : page < last
  const steps: readonly (readonly [word: string, to: number | null, icon: Icon])[] = [
    ['First page', page > 1 ? 1 : null, ChevronFirst],
    ['Previous page', page > 1 ? Math.min(page - 1, last ?? page) : null, ChevronLeft],
    ['Next page', hasMore ? page + 1 : null, ChevronRight],
    ['Last page', last !== null && page < last ? last : null, ChevronLast],
  ]
  return (
    <footer className="flex min-h-11 flex-wrap items-center gap-x-2 gap-y-1 border-t px-3.5 py-1.5 sm:gap-x-4 text-secondary-foreground text-sm">
      <p role="status" className="figures mr-auto">
        {rangeText(kit)}
      </p>
      <nav aria-label={`Rows a page: ${label}`} className="flex items-center gap-0.5">
        <span aria-hidden className="mr-1 hidden text-muted-foreground text-xs sm:inline">
          Rows
        </span>
        {PAGE_SIZES.map((option) => (
          <AddressLink
            key={option}
            address={address}
            change={{ size: option }}
            aria-label={`${option} rows a page`}
            aria-current={option === size ? 'true' : undefined}
            className="figures grid min-h-7 min-w-7 place-items-center rounded px-1 sm:min-w-8 sm:px-1.5 text-xs hover:bg-muted hover:text-foreground aria-[current]:bg-muted aria-[current]:font-semibold aria-[current]:text-foreground"
          >
            {option}
          </AddressLink>
        ))}
      </nav>
      <nav aria-label={`Pages: ${label}`} className="flex items-center gap-0.5">
        {steps.map(([word, to, Icon]) => (
          <AddressLink
            key={word}
            address={address}
            change={{ page: to ?? page }}
            disabled={to === null}
            aria-label={word}
            title={word}
            className={cn(
              'grid size-7 place-items-center rounded [&_svg]:size-4',
              to === null ? 'cursor-not-allowed opacity-40' : 'hover:bg-muted hover:text-foreground',
            )}
          >
            <Icon aria-hidden />
          </AddressLink>
        ))}
      </nav>
    </footer>
  )
}

/** `21–40 of 1,204` */
function rangeText<Value>({ table, reading, total, address: { state, pending } }: KitTable<Value>): string {
  if (reading.kind === 'loading' || pending) return 'Reading'
  if (total === null) return reading.kind === 'problem' ? 'Not read' : ''
  if (total === 0) return 'No rows'
  const rows = table.getRowModel().rows.length
  if (rows === 0) return `None of ${formatCount(total)}`
  const before = (state.page - 1) * state.size
  return `${formatCount(before + 1)}–${formatCount(before + rows)} of ${formatCount(total)}`
}

function ViewFaults({ table }: { table: string }) {
  const { view, missing } = useChosenView(table)
  const read = useTableViews(table)?.views !== null
  const words = faultWords(missing, view?.name ?? '', view?.gone ?? [])
  if (words === '' && read) return null
  return <AddressFaults faults={[read ? words : 'Saved views could not be read. The table follows the address.']} />
}

function faultWords(missing: boolean, name: string, gone: readonly string[]): string {
  if (missing) return 'This view was removed, or is not shared with you. The table follows the address.'
  if (gone.length === 0) return ''
  return `The view “${name}” uses ${gone.join(', ')}, which this table no longer has.`
}

const SavedViewsPart = onDemand(() => import('./saved-views-part.tsx').then((it) => it.SavedViewsPart))
const LookChoices = onDemand(() => import('./look-choices.tsx').then((it) => it.LookChoices))

interface ViewMenuProps<Value> {
  name: string
  table: AnyTable<Value>
  preference: TablePreference
}

function ViewMenu<Value>({ name, table, preference }: ViewMenuProps<Value>) {
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  const [opened, setOpened] = useState(false)
  useEffect(() => {
    // The browser may have opened it before hydration.
    if (menu.current?.matches(':popover-open')) setOpened(true)
  }, [])
  const views = useTableViews(name)
  const { view } = useChosenView(name)
  const query = useSearchParams()
  const { density } = preference
  const columns = table.getAllLeafColumns().filter((column) => column.getCanHide())
  const hidden = columns.filter((column) => !column.getIsVisible()).map((column) => column.id)
  const now = views === null ? null : { query: queryIn(new URLSearchParams(query), views), density, hidden }
  const changed = view !== null && now !== null && differsFrom(view, now)
  const anchor = `--view-${id.replaceAll(/[^\w-]/g, '')}`
  return (
    <>
      <Button variant="ghost" popoverTarget={id} style={{ anchorName: anchor }} className="min-w-0 max-w-[40vw]">
        <SlidersHorizontal aria-hidden />
        <span className={view === null ? 'max-sm:sr-only' : 'max-w-[24ch] truncate'}>
          View{view === null ? null : `: ${visibleText(view.name)}`}
        </span>
        {changed ? <span className="font-normal text-attention"> changed</span> : null}
      </Button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        onToggle={() => setOpened(true)}
        style={{ positionAnchor: anchor }}
        className="inset-auto m-0 mt-1 max-h-[min(80dvh,calc(100%-0.5rem))] w-72 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-lg border bg-card p-3.5 text-foreground shadow-[var(--lift)] [position-area:bottom_span-left] [position-try:most-height_flip-block]"
      >
        {opened && views !== null && views.views !== null && now !== null ? (
          <Suspense fallback={<p className="mb-3 text-muted-foreground text-sm">Reading the saved views</p>}>
            <SavedViewsPart
              views={views}
              list={views.views}
              chosen={view}
              now={now}
              changed={changed}
              onSaved={preference.asSaved}
              onChosen={() => menu.current?.hidePopover()}
            />
          </Suspense>
        ) : null}
        {opened ? (
          <Suspense fallback={<p className="text-muted-foreground text-sm">Reading the columns</p>}>
            <LookChoices columns={columns} preference={preference} ofView={view !== null} />
          </Suspense>
        ) : null}
      </div>
    </>
  )
}
