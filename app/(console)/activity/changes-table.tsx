'use client'

import { type ReactNode, useMemo } from 'react'
import { OutcomeBadge } from '#components/command/command-row.tsx'
import type { Column } from '#components/table/columns.ts'
import { DataTable } from '#components/table/data-table.tsx'
import { RowLink } from '#components/table/row-link.tsx'
import { usePageTable } from '#components/table/use-table.ts'
import { useTableAddress } from '#components/table/use-table-address.ts'
import { Timestamp } from '#components/values/timestamp.tsx'
import type { ChangeList } from '#lib/activity/change-lists.ts'
import type { CommandView } from '#lib/commands/command.ts'
import { visibleText } from '#lib/values/visible-text.ts'

const NAME = 'changes'

const titles: Readonly<Record<ChangeList, readonly [title: string, none: string]>> = {
  mine: ['Changes that you made, newest first', 'You changed nothing yet. What you do from here shows up here.'],
  open: ['Changes whose end is not known, oldest first', 'Every change that you may see has a known end.'],
  late: ['Effects that showed late in the last 24 hours', 'No effect of a change that you may see showed late.'],
}

interface ChangesTableProps {
  list: ChangeList
  commands: readonly CommandView[]
  /** On all pages. */
  total: number
  strip: ReactNode
}

/** One row per change. */
export function ChangesTable({ list, commands, total, strip }: ChangesTableProps) {
  const address = useTableAddress('of the service')
  const rows = useMemo(() => commands.map((value) => ({ readable: true, value }) as const), [commands])
  const kit = usePageTable({ name: NAME, columns: changesColumns, reading: { kind: 'rows', rows, total }, address })
  const [title, none] = titles[list]
  return (
    <DataTable
      name={NAME}
      kit={kit}
      address={address}
      title={title}
      label="Changes"
      opensByClick
      strip={strip}
      empty={<p>{none}</p>}
    />
  )
}

/** The columns of changes. */
export const changesColumns: readonly Column<CommandView>[] = [
  { id: 'outcome', head: 'Outcome', cell: (command) => <OutcomeBadge command={command} /> },
  {
    id: 'change',
    head: 'Change',
    always: true,
    cell: ({ id, title }) => <RowLink href={`/activity/${id}`}>{visibleText(title)}</RowLink>,
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
    id: 'sent',
    head: 'Sent',
    cell: ({ sentAt }) => (sentAt === null ? null : <Timestamp value={sentAt} as="relative" />),
  },
]
