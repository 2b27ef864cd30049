'use client'

import { type ReactNode, useMemo } from 'react'
import type { Column } from '#components/table/columns.ts'
import { DataTable } from '#components/table/data-table.tsx'
import { RowLink, useTableAddress } from '#components/table/table-address.tsx'
import { byId, usePageTable } from '#components/table/use-table.ts'
import { badgeOf } from '#components/ui/badge.tsx'
import { Ban } from '#components/ui/icons.tsx'
import { CutText } from '#components/values/facts.tsx'
import { Reference, UserReference } from '#components/values/reference.tsx'
import { ListTime } from '#components/values/timestamp.tsx'
import { visibleText } from '#lib/values/text.ts'

export interface RegisterRow {
  readonly id: string
  readonly last4: string
  readonly userId: string
  readonly printedName: string
  readonly cardType: string
  readonly recordedAt: string
  readonly issuerName: string
  readonly origin: 'issued' | 'registered'
  readonly blockedAt: string | null
}

interface RegisterTableProps {
  cards: readonly RegisterRow[]
  total: number
  title: string
  strip: ReactNode
  empty: ReactNode
}

export function RegisterTable({ cards, total, title, strip, empty }: RegisterTableProps) {
  const address = useTableAddress('of the service')
  const rows = useMemo(() => cards.map((value) => ({ readable: true, value }) as const), [cards])
  const reading = { kind: 'rows', rows, total } as const
  const kit = usePageTable({ name: 'issued-cards', columns: registerColumns, reading, address, rowId: byId })
  return <DataTable kit={kit} title={title} label={title} strip={strip} empty={empty} />
}

export const registerColumns: readonly Column<RegisterRow>[] = [
  {
    id: 'card',
    head: 'Card',
    always: true,
    cell: ({ id }) => <Reference short value={id} name="Card id" href={`/cards/${encodeURIComponent(id)}`} />,
  },
  { id: 'last-four', head: 'Last four', cell: ({ last4 }) => <span className="mono">{last4}</span> },
  { id: 'holder', head: 'Holder', cell: ({ userId }) => <UserReference id={userId} /> },
  {
    id: 'name',
    head: 'Printed name',
    cell: ({ printedName }) => <CutText text={printedName} className="max-w-[24ch]" />,
  },
  { id: 'type', head: 'Card type', cell: ({ cardType }) => visibleText(cardType) },
  { id: 'issued', head: 'Recorded', cell: ({ recordedAt }) => <ListTime value={recordedAt} /> },
  { id: 'by', head: 'Issued by', cell: ({ issuerName }) => <CutText text={issuerName} /> },
  { id: 'came', head: 'Source', cell: ({ origin }) => (origin === 'issued' ? 'the service' : 'the holder') },
  {
    id: 'blocked',
    head: 'Blocked here',
    cell: ({ blockedAt }) =>
      blockedAt === null ? <span className="text-muted-foreground">no</span> : badgeOf(Ban, 'danger', 'Blocked'),
  },
  {
    id: 'act',
    head: 'Block',
    quietHead: true,
    align: 'right',
    cell: ({ id, blockedAt }) =>
      blockedAt === null ? <RowLink href={`/cards/${encodeURIComponent(id)}`}>Block</RowLink> : null,
  },
]
