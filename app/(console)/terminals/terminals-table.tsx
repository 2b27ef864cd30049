'use client'

import { DataTable } from '#components/table/data-table.tsx'
import { type Reading, useCompleteTable } from '#components/table/use-table.ts'
import { useTableAddress } from '#components/table/use-table-address.ts'
import type { Terminal } from '#lib/contract/terminals.ts'
import { terminalColumns } from './terminal-columns.tsx'

const NAME = 'merchant-terminals'

const addressable = {
  sortable: terminalColumns.flatMap(({ id, compare }) => (compare === undefined ? [] : [id])),
  filterable: [],
}

interface TerminalsTableProps {
  merchantId: string
  reading: Reading<Terminal>
}

/** All terminals of one merchant, as the service orders them unless the person asks for another order. */
export function TerminalsTable({ merchantId, reading }: TerminalsTableProps) {
  const address = useTableAddress('at hand', addressable)
  const kit = useCompleteTable({ name: NAME, columns: terminalColumns, reading, address })
  return (
    <DataTable
      name={NAME}
      kit={kit}
      address={address}
      title={
        <>
          Terminals of <bdi className="mono break-all">{merchantId}</bdi>
        </>
      }
      label={`Terminals of ${merchantId}`}
      empty={
        <>
          <p className="font-semibold text-ink">No terminals yet</p>
          <p>Register the merchant’s first reader beside this list.</p>
        </>
      }
    />
  )
}
