'use client'

import { useMemo } from 'react'
import { MissingScope } from '#components/domain/missing-scope.tsx'
import { ExportButton } from '#components/export/export-button.tsx'
import { ExportStrip } from '#components/export/export-strip.tsx'
import { useExport } from '#components/export/running-exports.ts'
import { DataTable } from '#components/table/data-table.tsx'
import { type Reading, usePageTable } from '#components/table/use-table.ts'
import { useTableAddress } from '#components/table/use-table-address.ts'
import type { Scope } from '#lib/contract/scopes.ts'
import { historyColumns } from './history-columns.tsx'
import type { HistoryRow } from './history-row.ts'

const NAME = 'account-history'

interface HistoryTableProps {
  account: string
  reading: Reading<HistoryRow>
  /** Of the scopes that reading, exporting and confirming need, those that the person lacks. */
  missingScopes: readonly Scope[]
}

/** The transactions of one account, newest first, a page at a time. */
export function HistoryTable({ account, reading, missingScopes }: HistoryTableProps) {
  const address = useTableAddress('of the service')
  const columns = useMemo(() => historyColumns(account, missingScopes), [account, missingScopes])
  const kit = usePageTable({ name: NAME, columns, reading, address })
  const running = useExport(`/api/export/history?${new URLSearchParams({ account })}`)
  const mayRead = !missingScopes.includes('core:transactions:read')
  return (
    <DataTable
      name={NAME}
      kit={kit}
      address={address}
      title="Transactions, newest first"
      label="Transactions of this user"
      tools={
        mayRead ? (
          <ExportButton running={running} />
        ) : (
          <MissingScope scope="core:transactions:read">Export CSV</MissingScope>
        )
      }
      strip={<ExportStrip running={running} />}
      empty={
        <>
          <p className="font-semibold text-ink">No transactions yet</p>
          <p>A transaction shows here once it exists. A transfer that was refused leaves none.</p>
        </>
      }
    />
  )
}
