'use client'

import type { ReactNode } from 'react'
import { EmptyRows } from '#components/frame/panel.tsx'
import type { Column } from '#components/table/columns.ts'
import { AddressFaults, DataTable } from '#components/table/data-table.tsx'
import { RowLink, useTableAddress } from '#components/table/table-address.tsx'
import { type Reading, usePageTable } from '#components/table/use-table.ts'
import { CircleAlert } from '#components/ui/icons.tsx'
import { CutText } from '#components/values/facts.tsx'
import { Money } from '#components/values/money.tsx'
import { Reference, UserReference } from '#components/values/reference.tsx'
import { StateBadge } from '#components/values/state-badge.tsx'
import { ListTime, Timestamp } from '#components/values/timestamp.tsx'
import type { ConfirmedDeposit } from '#lib/deposits/confirmed-deposits.ts'
import type { Hold } from '#lib/deposits/deposit.ts'

const NAME = 'confirmed-deposits'

export interface ConfirmedRow extends Omit<ConfirmedDeposit, 'unread'> {
  readonly unread: string | null
}

interface ConfirmedTableProps {
  reading: Reading<ConfirmedRow>
  /** Includes deposits that other operators confirmed. */
  everyone: boolean
  scopesKnown?: boolean
  faults?: readonly string[]
  /** The search in words; null if all are shown. */
  searched?: string | null
}

export function ConfirmedTable(props: ConfirmedTableProps) {
  const { reading, everyone, scopesKnown = true, faults = [], searched = null } = props
  const address = useTableAddress('of the service')
  const kit = usePageTable({ name: NAME, columns: confirmedColumns, reading, address, rowId: (row) => row.commandId })
  const none = searched === null ? NONE_YET : <NoneFound searched={searched} />
  return (
    <DataTable
      kit={kit}
      title="Confirmed here, newest first"
      label="Deposits confirmed here"
      strip={
        <>
          {everyone || !scopesKnown ? null : (
            <p className="border-b bg-muted px-3.5 py-2 text-secondary-foreground text-sm">
              Only your own; all need core:transactions:confirm.
            </p>
          )}
          <AddressFaults faults={scopesKnown ? faults : [...faults, NOT_KNOWN]} />
        </>
      }
      empty={scopesKnown ? none : ONLY_OWN}
    />
  )
}

const NOT_KNOWN = 'Your scopes could not be read, so deposits of others are missing. Reload the page in a moment.'
const ONLY_OWN = <p>Only your own deposits could be searched.</p>

const NONE_YET = (
  <EmptyRows title="No confirmed deposits yet">
    Deposits confirmed in this console appear here with their hold.
  </EmptyRows>
)

const NoneFound = ({ searched }: { searched: string }) => (
  <>
    <p className="font-semibold text-foreground">No confirmed deposits found</p>
    <p className="break-words">None {searched}.</p>
  </>
)

const NOT_SHOWN = <span className="text-muted-foreground">not shown to you</span>

export const confirmedColumns: readonly Column<ConfirmedRow>[] = [
  {
    id: 'reference',
    head: 'Reference',
    always: true,
    cell: ({ reference }) => (
      <Reference short value={reference} name="Reference" href={`/transactions/${encodeURIComponent(reference)}`} />
    ),
  },
  {
    id: 'amount',
    head: 'Amount',
    align: 'right',
    cell: ({ facts }) => (facts === null ? NOT_SHOWN : <Money amount={facts.amount} />),
  },
  { id: 'state', head: 'State', cell: (row) => <State row={row} /> },
  { id: 'hold', head: 'Hold ends', cell: ({ hold }) => <HoldEnd hold={hold} /> },
  { id: 'by', head: 'Confirmed by', cell: ({ confirmedBy }) => <CutText text={confirmedBy} /> },
  { id: 'time', head: 'Confirmed', cell: ({ confirmedAt }) => <When at={confirmedAt} /> },
  {
    id: 'holder',
    head: 'Holder',
    cell: ({ facts }) => (facts === null ? null : <UserReference id={facts.holder} />),
  },
  {
    id: 'bank-reference',
    head: 'Bank’s reference',
    cell: ({ facts }) => (facts === null ? null : <CutText text={facts.bankReference} className="mono max-w-[20ch]" />),
  },
  {
    id: 'act',
    head: 'Change',
    quietHead: true,
    align: 'right',
    cell: ({ commandId }) => <RowLink href={`/activity/${commandId}`}>History</RowLink>,
  },
]

/** As wide as a date, so that nothing moves on hydration. */
const When = ({ at }: { at: string }) => (
  <span className="inline-block min-w-20">
    <ListTime value={at} />
  </span>
)

const State = ({ row: { seen, unread } }: { row: ConfirmedRow }) => (
  <span className="inline-flex items-center gap-2">
    {seen === null ? null : <StateBadge state={seen.state} />}
    {unread === null ? null : <NotRead why={unread}>{seen === null ? 'Not read' : 'not read now'}</NotRead>}
    {seen === null ? null : (
      <span className="text-muted-foreground text-xs">
        {seen.since === null ? 'seen' : 'since'} <ListTime value={seen.since ?? seen.at} />
      </span>
    )}
  </span>
)

const NotRead = ({ why, children }: { why: string; children: ReactNode }) => (
  <span data-hint={why} className="inline-flex items-center gap-1.5 text-attention">
    <CircleAlert aria-hidden className="size-3.5 shrink-0" />
    {children}
    <span className="sr-only">: {why}</span>
  </span>
)

const holdWords = { ahead: 'not started', none: 'none', 'not-told': 'not known' } as const

function HoldEnd({ hold }: { hold: Hold }) {
  if (hold.kind === 'ends') {
    return (
      <>
        {hold.latest ? 'at the latest ' : null}
        <Timestamp value={hold.at} as="ahead" />
      </>
    )
  }
  if (hold.kind !== 'ended') return <span className="text-muted-foreground">{holdWords[hold.kind]}</span>
  if (hold.at === null) return 'ended'
  return (
    <>
      ended <ListTime value={hold.at} />
    </>
  )
}
