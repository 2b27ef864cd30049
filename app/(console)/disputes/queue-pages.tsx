'use client'

import { type ReactNode, useMemo } from 'react'
import { DataTable } from '#components/table/data-table.tsx'
import { useTableAddress } from '#components/table/table-address.tsx'
import { byId, type Reading, usePageTable } from '#components/table/use-table.ts'
import type { CaseList, ComingFacts, QueueRow } from '#lib/disputes/queue/queue.ts'
import { FactsOfCases } from './facts-of-cases.tsx'
import { queueColumns, queueWidth } from './queue-columns.tsx'
import { ListLinks, listTitles, QUEUE_TABLE, SharedListLinks } from './queue-links.tsx'

/** Callers who are not admins get cases of all statuses, so each row shows its own. Sorting is not available. */
const pageColumns = () => queueColumns('ALL').map(({ ordered: _ordered, ...column }) => column)

const NO_FACTS: ComingFacts = {}

interface QueuePagesProps {
  list: CaseList
  reading: Reading<QueueRow>
  facts?: ComingFacts
  why: ReactNode
  /** Without admin view, an empty page does not prove that there are no cases. */
  empty?: ReactNode
}

/** The service's own pages, for operators without proved admin view; also the loading state of the queue. */
export function QueuePages({ list, reading, facts = NO_FACTS, why, empty = null }: QueuePagesProps) {
  const address = useTableAddress('of the service')
  const columns = useMemo(pageColumns, [])
  const kit = usePageTable({ name: QUEUE_TABLE, columns, reading, address, rowId: byId })
  return (
    <FactsOfCases coming={facts}>
      <div className={queueWidth}>
        <DataTable
          kit={kit}
          title={reading.kind === 'rows' ? 'Cases, in the service’s order' : listTitles[list].name}
          label="Dispute cases"
          opensByClick
          tools={<SharedListLinks />}
          strip={
            <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b px-3.5 py-2.5">
              <ListLinks list={list} />
              {why}
            </div>
          }
          empty={empty}
        />
      </div>
    </FactsOfCases>
  )
}
