'use client'

import { useMemo } from 'react'
import { OutcomeBadge } from '#components/command/command-row.tsx'
import { ExportButton, ExportStrip } from '#components/export/export-strip.tsx'
import { useExport } from '#components/export/running-exports.ts'
import type { Column } from '#components/table/columns.ts'
import { DataTable } from '#components/table/data-table.tsx'
import { RowLink } from '#components/table/row-link.tsx'
import { usePageTable } from '#components/table/use-table.ts'
import { useTableAddress } from '#components/table/use-table-address.ts'
import { Card } from '#components/ui/card.tsx'
import { Money } from '#components/values/money.tsx'
import { Reference } from '#components/values/reference.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import type { FileFormat } from '#lib/activity/activity-file.ts'
import { type ActivityFilter, filterQuery } from '#lib/activity/activity-filter.ts'
import type { ActivityRow } from '#lib/activity/activity-row.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { FilterForm } from './filter-form.tsx'

const NAME = 'changes'

interface ActivityTableProps {
  filter: ActivityFilter
  /** Filter values in the address that are not valid. */
  faults: readonly string[]
  rows: readonly ActivityRow[]
  total: number
  people: readonly string[]
}

export function ActivityTable({ filter, faults, rows: found, total, people }: ActivityTableProps) {
  const address = useTableAddress('of the service')
  const rows = useMemo(() => found.map((value) => ({ readable: true, value }) as const), [found])
  const kit = usePageTable({ name: NAME, columns: activityColumns, reading: { kind: 'rows', rows, total }, address })
  const asked = filterQuery(filter).toString()
  const [csv, json] = [useExport(exportAddress('csv', asked)), useExport(exportAddress('json', asked))]
  return (
    <>
      <Card>
        <FilterForm key={asked} filter={filter} people={people} />
      </Card>
      <DataTable
        name={NAME}
        kit={kit}
        address={address}
        title="Activity, the latest first"
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
            {faults.map((fault) => (
              <p key={fault} role="status" className="border-b bg-attention-wash px-3.5 py-2 text-attention text-sm">
                {fault}
              </p>
            ))}
            <ExportStrip running={csv} />
            <ExportStrip running={json} />
          </>
        }
        empty={<p>{asked === '' ? NOTHING_YET : 'Nothing that you may see fits this filter.'}</p>}
      />
    </>
  )
}

const NOTHING_YET = 'Nothing that you may see was done yet. What you do shows up here.'

const exportAddress = (format: FileFormat, asked: string): string =>
  `/api/export/activity?format=${format}${asked === '' ? '' : `&${asked}`}`

export const activityColumns: readonly Column<ActivityRow>[] = [
  {
    id: 'time',
    head: 'Time',
    cell: ({ at }) => (
      // As wide as a date, so that nothing moves on hydration.
      <span className="inline-block min-w-20">
        <Timestamp value={at} as="past" />
      </span>
    ),
  },
  {
    id: 'by',
    head: 'By',
    cell: ({ actorName }) => (
      <span className="inline-block max-w-[26ch] truncate align-middle" title={visibleText(actorName)}>
        {visibleText(actorName)}
      </span>
    ),
  },
  {
    id: 'change',
    head: 'What',
    always: true,
    cell: ({ id, title }) => (
      // Aligns the link's text, not its padding, with the column head.
      <span className="-ml-1">
        <RowLink href={`/activity/${id}`}>{visibleText(title)}</RowLink>
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
  { id: 'outcome', head: 'Outcome', cell: (row) => <Came row={row} /> },
]

function Came({ row: { outcome, told } }: { row: ActivityRow }) {
  if (outcome !== null) return <OutcomeBadge command={{ outcome }} />
  return (
    <span
      className="inline-block max-w-[34ch] truncate align-middle text-secondary-foreground"
      title={visibleText(told)}
    >
      {visibleText(told)}
    </span>
  )
}
