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
import { type ChangeFilter, filterQuery } from '#lib/activity/change-filter.ts'
import type { ChangeRow } from '#lib/activity/change-row.ts'
import type { FileFormat } from '#lib/activity/changes-file.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { FilterForm } from './filter-form.tsx'

const NAME = 'changes'

interface ChangesTableProps {
  filter: ChangeFilter
  /** What the address asks for and cannot be had. */
  faults: readonly string[]
  changes: readonly ChangeRow[]
  /** On all pages. */
  total: number
  /** Names to choose from. */
  authors: readonly string[]
}

/** One row per change, the latest first. */
export function ChangesTable({ filter, faults, changes, total, authors }: ChangesTableProps) {
  const address = useTableAddress('of the service')
  const rows = useMemo(() => changes.map((value) => ({ readable: true, value }) as const), [changes])
  const kit = usePageTable({ name: NAME, columns: changesColumns, reading: { kind: 'rows', rows, total }, address })
  const asked = filterQuery(filter).toString()
  const [csv, json] = [useExport(exportAddress('csv', asked)), useExport(exportAddress('json', asked))]
  return (
    <>
      <Card>
        <FilterForm key={asked} filter={filter} authors={authors} />
      </Card>
      <DataTable
        name={NAME}
        kit={kit}
        address={address}
        title="Changes, the latest first"
        label="Changes"
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
        empty={<p>{asked === '' ? NOTHING_YET : 'No change that you may see fits this filter.'}</p>}
      />
    </>
  )
}

const NOTHING_YET = 'Nothing that you may see was changed yet. What you change shows up here.'

const exportAddress = (format: FileFormat, asked: string): string =>
  `/api/export/activity?format=${format}${asked === '' ? '' : `&${asked}`}`

/** The columns of changes. */
export const changesColumns: readonly Column<ChangeRow>[] = [
  {
    id: 'time',
    head: 'Time',
    cell: ({ at }) => (
      // As wide as a date, so that nothing moves when the page comes alive.
      <span className="inline-block min-w-20">
        <Timestamp value={at} as="relative" />
      </span>
    ),
  },
  {
    id: 'by',
    head: 'By',
    cell: ({ actorName }) => (
      <span className="inline-block max-w-[26ch] truncate align-middle" title={actorName}>
        {visibleText(actorName)}
      </span>
    ),
  },
  {
    id: 'change',
    head: 'Change',
    always: true,
    cell: ({ id, title }) => <RowLink href={`/activity/${id}`}>{visibleText(title)}</RowLink>,
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
  { id: 'outcome', head: 'Outcome', cell: (change) => <OutcomeBadge command={change} /> },
]
