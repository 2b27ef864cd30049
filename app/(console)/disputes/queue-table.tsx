'use client'

import Link from 'next/link'
import { type ReactNode, useMemo } from 'react'
import { DataTable } from '#components/table/data-table.tsx'
import { type Reading, useCompleteTable, usePageTable } from '#components/table/use-table.ts'
import { useTableAddress } from '#components/table/use-table-address.ts'
import type { CaseList, QueueRow, QueueView } from '#lib/domain/queue.ts'
import { ListLinks } from './list-links.tsx'
import { Marks } from './mark-chip.tsx'
import { queueColumns } from './queue-columns.tsx'
import { QueueEmpty } from './queue-empty.tsx'
import { QueueFilters } from './queue-filters.tsx'
import { QueueStrip } from './queue-strip.tsx'
import { TransactionFacts } from './use-facts.tsx'
import { usePolledQueue } from './use-polled-queue.ts'
import { useQueueAddress } from './use-queue-address.ts'

const NAME = 'dispute-queue'

/** A list's name, and its order as long as nobody asks for another one. */
const titles: Readonly<Record<CaseList, readonly [name: string, order: string]>> = {
  OPEN: ['Open cases', ', oldest first'],
  RESOLVED: ['Resolved cases', ', latest first'],
  ALL: ['All cases', ', oldest first'],
}

/** A list that was read whole: filtered, sorted and cut into pages here, and kept up to date while it is seen. */
export function WholeQueue({ initial }: { initial: QueueView }) {
  const { list } = initial
  const queue = usePolledQueue(initial)
  const address = useQueueAddress(list)
  const columns = useMemo(() => queueColumns(list), [list])
  const { rows, unreadable } = queue
  const reading = useMemo((): Reading<QueueRow> => {
    const readable = rows.map((value) => ({ readable: true, value }) as const)
    return { kind: 'rows', rows: [...readable, ...Array(unreadable).fill({ readable: false })] }
  }, [rows, unreadable])
  const kit = useCompleteTable({ name: NAME, columns, reading, address })
  const references = kit.table
    .getRowModel()
    .rows.flatMap(({ original }) => (original.readable ? [original.value.reference] : []))
  return (
    <TransactionFacts references={references} version={queue.shownAt} again={queue.latest.completeAt ?? queue.shownAt}>
      <Marks value={queue.marks}>
        <DataTable
          name={NAME}
          kit={kit}
          address={address}
          title={titles[list][0] + (address.state.sort === null ? titles[list][1] : '')}
          label="Dispute cases"
          opensByClick
          strip={
            <>
              <QueueFilters address={address} list={list} rows={rows} />
              <QueueStrip queue={queue} />
            </>
          }
          empty={
            rows.length === 0 ? (
              <QueueEmpty list={list} adminView={queue.latest.adminView} />
            ) : (
              <NoneWanted list={list} />
            )
          }
        />
      </Marks>
    </TransactionFacts>
  )
}

const NoneWanted = ({ list }: { list: CaseList }) => (
  <>
    <p className="font-semibold text-ink">None of these cases</p>
    <p>
      The list holds others.{' '}
      <Link
        href={list === 'OPEN' ? '/disputes' : `/disputes?status=${list.toLowerCase()}`}
        prefetch={false}
        className="text-accent underline underline-offset-4"
      >
        Show all of them
      </Link>
    </p>
  </>
)

/** The service ignores the status for whoever is no admin, so that it is told of each row; and nothing sorts. */
const pageColumns = () => queueColumns('ALL').map(({ compare: _c, matches: _m, ...column }) => column)

interface QueuePagesProps {
  list: CaseList
  reading: Reading<QueueRow>
  /** When the rows were read; another one has their transactions read again. */
  readAt: string
  /** Why it is not the whole list, and what can be done. */
  why: ReactNode
}

/** Pages of a list as the service cuts them, where the whole of it is not to be had; also while it is on its way. */
export function QueuePages({ list, reading, readAt, why }: QueuePagesProps) {
  const address = useTableAddress('of the service')
  const columns = useMemo(pageColumns, [])
  const kit = usePageTable({ name: NAME, columns, reading, address })
  const rows = reading.kind === 'rows' ? reading.rows : []
  return (
    <TransactionFacts references={rows.flatMap((row) => (row.readable ? [row.value.reference] : []))} version={readAt}>
      <DataTable
        name={NAME}
        kit={kit}
        address={address}
        title={reading.kind === 'rows' ? 'Cases, as the service orders them' : titles[list][0]}
        label="Dispute cases"
        opensByClick
        strip={
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-b px-3.5 py-2.5">
            <ListLinks list={list} />
            {why}
          </div>
        }
        empty={<QueueEmpty list={list} adminView="not-proved" />}
      />
    </TransactionFacts>
  )
}
