'use client'

import { DataTable } from '#components/table/data-table.tsx'
import { type Reading, usePageTable } from '#components/table/use-table.ts'
import { useTableAddress } from '#components/table/use-table-address.ts'
import { confirmedColumns } from './confirmed-columns.tsx'
import type { ConfirmedRow } from './confirmed-row.ts'

const NAME = 'confirmed-deposits'

interface ConfirmedTableProps {
  reading: Reading<ConfirmedRow>
  /** Whether those of others are among them. */
  everyone: boolean
}

/** Deposits confirmed in this console, the latest first, a page at a time. */
export function ConfirmedTable({ reading, everyone }: ConfirmedTableProps) {
  const address = useTableAddress('of the service')
  const kit = usePageTable({ name: NAME, columns: confirmedColumns, reading, address })
  return (
    <DataTable
      name={NAME}
      kit={kit}
      address={address}
      title="Confirmed here, the latest first"
      label="Deposits confirmed here"
      strip={
        everyone ? null : (
          <p className="border-line border-b bg-sunken px-3.5 py-2 text-ink-2 text-sm">
            Those that you confirmed. Everybody’s are shown with the scope core:transactions:read, which the console
            does not know you to hold.
          </p>
        )
      }
      empty={
        <>
          <p className="font-semibold text-ink">No confirmed deposits yet</p>
          <p>A deposit stands here once it was confirmed in this console, with its state and the end of its hold.</p>
        </>
      }
    />
  )
}
