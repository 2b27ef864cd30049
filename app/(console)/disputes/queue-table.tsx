'use client'

import { useSearchParams } from 'next/navigation'
import { Suspense, useMemo, useState } from 'react'
import { DataTable } from '#components/table/data-table.tsx'
import { type Reading, usePageTable } from '#components/table/use-table.ts'
import { type TableAddress, useTableAddress } from '#components/table/use-table-address.ts'
import { onDemand } from '#components/ui/on-demand.tsx'
import type { ComingFacts } from '#lib/disputes/queue/fact.ts'
import type { CaseList, QueueRow, QueueView } from '#lib/disputes/queue/queue.ts'
import { FactsOfCases } from './facts-of-cases.tsx'
import { Marks } from './mark-badge.tsx'
import { Picking, usePickedCases } from './picked-cases.tsx'
import { addressableOf, wantedIn } from './queue-address.ts'
import { queueColumns } from './queue-columns.tsx'
import { QueueFilters } from './queue-filters.tsx'
import { QueueStrip } from './queue-strip.tsx'
import { listTitles, QUEUE_TABLE } from './queue-table-words.ts'
import { queueWidth } from './queue-width.ts'
import { SnippetsLink } from './snippets-link.tsx'
import { useCurrentQueue } from './use-current-queue.ts'

const QueueEmpty = onDemand(() => import('./queue-empty.tsx').then((it) => it.QueueEmpty))
const AssignBar = onDemand(() => import('./assign-bar.tsx').then((it) => it.AssignBar))

interface QueueTableProps {
  initial: QueueView
  /** The query string that `initial` answers. */
  address: string
  facts: ComingFacts
  mayAssign: boolean
}

export function QueueTable({ initial, address: query, facts, mayAssign }: QueueTableProps) {
  const queue = useCurrentQueue(initial, query)
  const { view, latest } = queue
  const { list } = view.asked
  const address = useQueueAddress(list)
  const pickable = mayAssign && list !== 'RESOLVED'
  const columns = useMemo(() => queueColumns(list, pickable), [list, pickable])
  const { rows, unreadableHere, total } = view
  const cases = usePickedCases(rows)
  const [used, setUsed] = useState(false)
  if (!used && cases.picked.size > 0) setUsed(true)
  const reading = useMemo((): Reading<QueueRow> => {
    const readable = rows.map((value) => ({ readable: true, value }) as const)
    return { kind: 'rows', rows: [...readable, ...Array(unreadableHere).fill({ readable: false })], total }
  }, [rows, unreadableHere, total])
  const kit = usePageTable({ name: QUEUE_TABLE, columns, reading, address })
  const { name, order } = listTitles[list]
  return (
    <FactsOfCases coming={facts} told={queue.facts}>
      <Marks value={queue.marks}>
        <Picking value={cases}>
          <div className={queueWidth}>
            <DataTable
              name={QUEUE_TABLE}
              kit={kit}
              address={address}
              title={name + (address.state.sort === null ? order : '')}
              label="Dispute cases"
              opensByClick
              strip={
                <>
                  <QueueFilters address={address} list={list} counts={latest.counts} />
                  <QueueStrip queue={queue} />
                </>
              }
              below={
                used ? (
                  <Suspense>
                    <AssignBar cases={cases} rows={rows} onAssigned={queue.readAgain} />
                  </Suspense>
                ) : null
              }
              tools={<SnippetsLink />}
              empty={
                <Suspense>
                  <QueueEmpty list={list} adminView={latest.adminView} hasOthers={view.listed > 0} />
                </Suspense>
              }
            />
          </div>
        </Picking>
      </Marks>
    </FactsOfCases>
  )
}

function useQueueAddress(list: CaseList): TableAddress {
  const addressable = useMemo(() => addressableOf(list), [list])
  const address = useTableAddress('of the service', addressable)
  const query = useSearchParams()
  return useMemo(() => ({ ...address, ...wantedIn(new URLSearchParams(query.toString()), address) }), [address, query])
}
