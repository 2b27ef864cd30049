import { ArrowDownLeft, ArrowUpRight } from 'lucide-react'
import { MissingScope } from '#components/domain/missing-scope.tsx'
import { Money } from '#components/domain/money.tsx'
import { Reference } from '#components/domain/reference.tsx'
import { StateBadge } from '#components/domain/state-badge.tsx'
import { Timestamp } from '#components/domain/timestamp.tsx'
import type { Column } from '#components/table/columns.ts'
import { RowLink } from '#components/table/row-link.tsx'
import { Hint } from '#components/ui/hint.tsx'
import type { Scope } from '#lib/contract/scopes.ts'
import { Money as Amount } from '#lib/domain/money.ts'
import { sameAccount } from '#lib/domain/user-id.ts'
import { visibleText } from '#lib/domain/visible-text.ts'
import type { HistoryRow } from './history-row.ts'

/** The columns of an account's history, as seen from that account. */
export const historyColumns = (account: string, missingScopes: readonly Scope[]): readonly Column<HistoryRow>[] => [
  {
    id: 'reference',
    head: 'Reference',
    always: true,
    cell: ({ reference }) => (
      <Reference short value={reference} name="Reference" href={`/transactions/${encodeURIComponent(reference)}`} />
    ),
  },
  {
    id: 'time',
    head: 'Time',
    cell: ({ createdAt }) => (
      // As wide as a date, so that nothing moves when the page comes alive.
      <span className="inline-block min-w-20">
        <Timestamp value={createdAt} as="relative" />
      </span>
    ),
  },
  {
    id: 'type',
    head: 'Type',
    cell: ({ type }) => (
      <span className="mono inline-block max-w-[16ch] truncate align-middle">{visibleText(type)}</span>
    ),
  },
  { id: 'state', head: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  { id: 'other', head: 'From or to', cell: (row) => <OtherAccount row={row} account={account} /> },
  { id: 'debit', head: 'Sender pays', align: 'right', cell: ({ debit }) => <Money amount={debit} /> },
  { id: 'credit', head: 'Recipient gets', align: 'right', cell: ({ credit }) => <Money amount={credit} /> },
  { id: 'fee', head: 'Fee', align: 'right', cell: (row) => <Fee row={row} /> },
  { id: 'note', head: 'Note', cell: (row) => <Note row={row} /> },
  {
    id: 'act',
    head: 'Confirm',
    quietHead: true,
    align: 'right',
    cell: ({ state, reference }) =>
      state === 'QUEUED' ? <Confirm reference={reference} barred={missingScopes} /> : null,
  },
]

interface RowProps {
  row: HistoryRow
}

/** Who is on the other side, and which side that is. */
function OtherAccount({ row: { from, to }, account }: RowProps & { account: string }) {
  const outgoing = sameAccount(from, account)
  const other = outgoing ? to : from
  const [word, Icon] = outgoing ? (['to', ArrowUpRight] as const) : (['from', ArrowDownLeft] as const)
  return (
    <span className="inline-flex items-center gap-1.5">
      <Icon aria-hidden className="size-3.5 text-ink-3" />
      <span className="w-7 text-ink-2">{word}</span>
      <Reference short value={other} name="User id" href={`/users/${encodeURIComponent(other)}`} />
    </span>
  )
}

/** Debit less credit; nothing where there is none. */
function Fee({ row: { debit, credit } }: RowProps) {
  const [pays, gets] = [Amount.fromWire(debit), Amount.fromWire(credit)]
  if (pays === null || gets === null || pays.equals(gets)) return null
  return <Money amount={pays.minus(gets).toExact()} />
}

function Note({ row: { note, noteCutFrom } }: RowProps) {
  if (note === '') return null
  const text = visibleText(note)
  return (
    <Hint
      text={
        noteCutFrom === null
          ? text
          : `${text}… The whole note, ${noteCutFrom.toLocaleString('en-US')} characters, is on the transaction’s page.`
      }
    >
      <bdi className="inline-block max-w-[20ch] truncate align-middle">{text}</bdi>
    </Hint>
  )
}

function Confirm({ reference, barred }: { reference: string; barred: readonly Scope[] }) {
  const scope = 'core:transactions:confirm'
  if (barred.includes(scope)) return <MissingScope scope={scope}>Confirm</MissingScope>
  return <RowLink href={`/deposits?${new URLSearchParams({ reference })}`}>Confirm</RowLink>
}
