'use client'

import Link from 'next/link'
import { type ReactNode, useMemo, useRef } from 'react'
import { RetryButton } from '#components/service/retry-button.tsx'
import { staleWords } from '#components/service/stale-words.ts'
import { DataTable } from '#components/table/data-table.tsx'
import { type Reading, useCompleteTable, usePageTable } from '#components/table/use-table.ts'
import { useTableAddress } from '#components/table/use-table-address.ts'
import { Button } from '#components/ui/button.tsx'
import { ClockTime } from '#components/values/timestamp.tsx'
import type { AdminView, CaseList, QueueRow, QueueView } from '#lib/disputes/queue/queue.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { ListLinks } from './list-links.tsx'
import { Marks } from './mark-badge.tsx'
import { newsWords } from './news-words.ts'
import { queueColumns } from './queue-columns.tsx'
import { QueueEmpty } from './queue-empty.tsx'
import { QueueFilters } from './queue-filters.tsx'
import { TransactionFacts } from './use-facts.tsx'
import { type PolledQueue, usePolledQueue } from './use-polled-queue.ts'
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
    <p className="font-semibold text-foreground">None of these cases</p>
    <p>
      The list holds others.{' '}
      <Link
        href={`/disputes?status=${list.toLowerCase()}`}
        prefetch={false}
        className="text-primary underline underline-offset-4"
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
  /** Where a page holds no rows: without the whole list that proves nothing. */
  empty?: ReactNode
}

/** Pages of a list as the service cuts them, where the whole of it is not to be had; also while it is on its way. */
export function QueuePages({ list, reading, readAt, why, empty = null }: QueuePagesProps) {
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
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b px-3.5 py-2.5">
            <ListLinks list={list} />
            {why}
          </div>
        }
        empty={empty}
      />
    </TransactionFacts>
  )
}

const plural = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`

/** How whole the list is, who sees it, and what is new in it. */
function QueueStrip({ queue }: { queue: PolledQueue }) {
  const box = useRef<HTMLDivElement>(null)
  const { rows, unreadable, shownAt, latest, news, problem } = queue
  const newsText = newsWords(news)
  const show = () => {
    queue.show()
    // The button disappears; the focus moves to this line.
    box.current?.focus()
  }
  return (
    <div ref={box} tabIndex={-1} className="grid gap-1 border-b px-3.5 py-2 text-sm outline-none">
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
        <p className="figures text-secondary-foreground [white-space:normal]">
          Complete as of <ClockTime value={shownAt} />, {plural(rows.length + unreadable, 'case', 'cases')}
        </p>
        <p className="text-muted-foreground">{adminWords[latest.adminView]}</p>
        <div aria-live="polite" className="ml-auto">
          {newsText === '' ? null : (
            <Button variant="outline" onClick={show} className="figures">
              <span className="text-working">{newsText}: show</span>
            </Button>
          )}
        </div>
      </div>
      {unreadable === 0 ? null : (
        <p className="text-attention">
          {plural(unreadable, 'case', 'cases')} cannot be read, and no filter hides {unreadable === 1 ? 'it' : 'them'}.
        </p>
      )}
      <div className="flex flex-wrap items-center gap-3 empty:hidden">
        <p role="status" className="text-attention empty:hidden">
          {troubleWords(queue)}
          {staleWords(problem)}
        </p>
        {latest.shortfall === null || latest.shortfall === 'too-many' ? null : <RetryButton />}
      </div>
    </div>
  )
}

const adminWords: Readonly<Record<AdminView, string>> = {
  proved: 'Admin view: everybody’s cases',
  'not-proved': 'Admin view is not proved: these are the cases visible to you',
}

/** Why the latest reading is not whole, where an earlier one still stands. */
function troubleWords({ latest: { shortfall, problem } }: PolledQueue): string {
  switch (shortfall) {
    case null:
      return ''
    case 'problem':
      return `It could not be read again: ${problem === null ? 'no answer' : problemWords(problem).title}. `
    case 'moved':
      return 'It moved while it was read again; the next reading comes by itself. '
    case 'too-many':
      return 'By now it is longer than this console reads. '
  }
}
