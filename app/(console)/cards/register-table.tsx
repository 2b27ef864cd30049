'use client'

import { type ReactNode, useMemo } from 'react'
import { DataTable } from '#components/table/data-table.tsx'
import { usePageTable } from '#components/table/use-table.ts'
import { useTableAddress } from '#components/table/use-table-address.ts'
import { registerColumns } from './register-columns.tsx'
import type { RegisterRow } from './register-row.ts'

const NAME = 'issued-cards'

interface RegisterTableProps {
  cards: readonly RegisterRow[]
  /** On all pages. */
  total: number
  title: string
  /** Between head and rows. */
  strip: ReactNode
  /** Why there are no rows, and what to do. */
  empty: ReactNode
}

/** Cards that this console knows, newest first, a page at a time. */
export function RegisterTable({ cards, total, title, strip, empty }: RegisterTableProps) {
  const address = useTableAddress('of the service')
  const rows = useMemo(() => cards.map((value) => ({ readable: true, value }) as const), [cards])
  const kit = usePageTable({ name: NAME, columns: registerColumns, reading: { kind: 'rows', rows, total }, address })
  return <DataTable name={NAME} kit={kit} address={address} title={title} label={title} strip={strip} empty={empty} />
}
