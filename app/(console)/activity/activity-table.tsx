'use client'

import Link from 'next/link'
import { useRouter, useSearchParams } from 'next/navigation'
import { useMemo, useTransition } from 'react'
import { OutcomeBadge } from '#components/command/command-row.tsx'
import { ExportButton, ExportStrip, useExport } from '#components/export/export-strip.tsx'
import type { Column } from '#components/table/columns.ts'
import { AddressFaults, DataTable } from '#components/table/data-table.tsx'
import { useTableAddress } from '#components/table/table-address.tsx'
import { byId, usePageTable } from '#components/table/use-table.ts'
import { withQuery } from '#components/table/view-address.ts'
import { Button } from '#components/ui/button.tsx'
import { X } from '#components/ui/icons.tsx'
import { ShortcutHint, usePageKey, useTabIndex } from '#components/ui/kbd.tsx'
import { CutText } from '#components/values/facts.tsx'
import { Money } from '#components/values/money.tsx'
import { Reference } from '#components/values/reference.tsx'
import { ListTime } from '#components/values/timestamp.tsx'
import type { FileFormat } from '#lib/activity/activity-file.ts'
import { type ActivityFilter, type ActivityRow, filterQuery, OPENED } from '#lib/activity/activity-filter.ts'
import { visibleText } from '#lib/values/text.ts'

interface ActivityTableProps {
  filter: ActivityFilter
  faults: readonly string[]
  rows: readonly ActivityRow[]
  total: number
  opened: string
  /** False if the person's scopes could not be read, so activity of others is missing. */
  known: boolean
}

export function ActivityTable({ filter, faults, rows: found, total, opened, known }: ActivityTableProps) {
  const address = useTableAddress('of the service')
  const rows = useMemo(() => found.map((value) => ({ readable: true, value }) as const), [found])
  const columns = useMemo(() => columnsFor(opened), [opened])
  const kit = usePageTable({ name: 'changes', columns, reading: { kind: 'rows', rows, total }, address, rowId: byId })
  const query = filterQuery(filter).toString()
  const [csv, json] = [useExport(exportAddress('csv', query)), useExport(exportAddress('json', query))]
  return (
    <DataTable
      kit={kit}
      title="Activity, newest first"
      label="Activity"
      opensByClick
      tools={
        faults.length > 0 ? null : (
          <>
            <ExportButton running={csv} />
            <ExportButton running={json} as="JSON" />
          </>
        )
      }
      strip={
        <>
          <AddressFaults faults={[...faults, ...(known ? [] : [NOT_KNOWN])]} />
          <ExportStrip running={csv} />
          <ExportStrip running={json} />
        </>
      }
      empty={<p>{query === '' ? NOTHING_YET : 'No activity matches this filter.'}</p>}
    />
  )
}

const NOTHING_YET = 'No activity yet.'
const NOT_KNOWN = 'Your scopes could not be read, so activity of others is missing. Reload the page in a moment.'

const exportAddress = (format: FileFormat, query: string): string =>
  `/api/export/activity?format=${format}${query === '' ? '' : `&${query}`}`

const columnsFor = (opened: string): readonly Column<ActivityRow>[] => [
  { id: 'time', head: 'Time', cell: ({ at }) => <ListTime value={at} /> },
  { id: 'by', head: 'By', cell: ({ actorName }) => <CutText text={actorName} className="max-w-[26ch]" /> },
  {
    id: 'change',
    head: 'What',
    always: true,
    cell: ({ record, title }) => (
      // Aligns the link's text, not its padding, with the column head.
      <span className="-ml-1">
        <RecordLink id={record} isOpen={record === opened}>
          {visibleText(title)}
        </RecordLink>
      </span>
    ),
  },
  {
    id: 'about',
    head: 'About',
    cell: ({ target }) => (target === '' ? null : <Reference short value={target} name="What it is about" />),
  },
  {
    id: 'amount',
    head: 'Amount',
    align: 'right',
    cell: ({ amount }) => (amount === null ? null : <Money amount={amount} />),
  },
  { id: 'outcome', head: 'Outcome', cell: (row) => <OutcomeCell row={row} /> },
]

export const activityColumns = columnsFor('')

function OutcomeCell({ row: { outcome, details } }: { row: ActivityRow }) {
  if (outcome !== null) return <OutcomeBadge command={{ outcome }} />
  return <CutText text={details} className="max-w-[34ch] text-secondary-foreground" />
}

function useOpened(): (id: string | null) => void {
  const router = useRouter()
  const query = useSearchParams()
  const [, start] = useTransition()
  return (id) => {
    const next = new URLSearchParams(query)
    next.delete(OPENED)
    if (id !== null) next.set(OPENED, id)
    start(() => router.push(withQuery('/activity', next), { scroll: false }))
  }
}

const WIDE = '(min-width: 1101px)'

const recordHref = (id: string): string => `/activity/${encodeURIComponent(id)}`

function RecordLink({ id, isOpen, children }: { id: string; isOpen: boolean; children: string }) {
  const open = useOpened()
  return (
    <Link
      href={recordHref(id)}
      prefetch={false}
      tabIndex={useTabIndex()}
      aria-current={isOpen ? 'true' : undefined}
      onNavigate={(event) => {
        if (!window.matchMedia(WIDE).matches) return
        event.preventDefault()
        open(id)
      }}
      className="inline-flex min-h-6 items-center rounded-sm px-1 font-[550] text-primary underline-offset-4 hover:underline aria-[current]:bg-accent aria-[current]:shadow-[0_0_0_1px_var(--ring)]"
    >
      {children}
    </Link>
  )
}

export function CloseRecord({ id }: { id: string }) {
  const open = useOpened()
  const close = () => {
    const links = [...document.querySelectorAll<HTMLElement>('[data-row] a')]
    const row = links.find((link) => link.getAttribute('href') === recordHref(id))
    const target = row ?? document.querySelector<HTMLElement>('main h1')
    target?.focus({ preventScroll: true })
    open(null)
  }
  usePageKey('Escape', close)
  return (
    <Button variant="outline" aria-keyshortcuts="Escape" onClick={close}>
      <X aria-hidden />
      Close
      <ShortcutHint of="Esc" />
    </Button>
  )
}
