'use client'

import { ButtonLink, EmptyRows } from '#components/frame/panel.tsx'
import type { Column } from '#components/table/columns.ts'
import { DataTable } from '#components/table/data-table.tsx'
import { AddressLink, RowLink, useTableAddress } from '#components/table/table-address.tsx'
import { byId, type Reading, usePageTable } from '#components/table/use-table.ts'
import { Badge, badgeOf } from '#components/ui/badge.tsx'
import { Check, CircleAlert, Hourglass } from '#components/ui/icons.tsx'
import { CutText } from '#components/values/facts.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import type { ListedStatement, StatementList } from '#lib/statements/statement-list.ts'
import type { StatementWork } from '#lib/statements/statement-view.ts'
import { shownAmount } from '#lib/values/amount-text.ts'
import { visibleText } from '#lib/values/text.ts'
import { counted, formatCount } from '#lib/values/words.ts'
import { segment, segments } from '../../disputes/class-names.ts'

const ADDRESSABLE = { sortable: [], filterable: ['show'] }

interface ImportedStatementsProps {
  reading: Reading<ListedStatement>
  counts: StatementList['counts'] | null
}

export function ImportedStatements({ reading, counts }: ImportedStatementsProps) {
  const address = useTableAddress('of the service', ADDRESSABLE)
  const kit = usePageTable({ name: 'statements', columns: statementColumns, reading, address, rowId: byId })
  const shown = address.state.filters.show === 'all' ? 'all' : ''
  const lists = [['', 'Open', counts?.open] as const, ['all', 'All', counts?.all] as const]
  return (
    <DataTable
      kit={kit}
      title={shown === 'all' ? 'Imported statements, newest first' : 'Open statements, oldest first'}
      label="Imported statements"
      tools={
        <>
          <ButtonLink href="/deposits/report" variant="ghost">
            End-of-day report
          </ButtonLink>
          <nav aria-label="Statements by state" className={segments}>
            {lists.map(([show, word, count]) => (
              <AddressLink
                key={word}
                address={address}
                change={{ filters: { show } }}
                aria-current={shown === show ? 'page' : undefined}
                className={segment}
              >
                {word}
                <span className="figures">{count === undefined ? null : formatCount(count)}</span>
              </AddressLink>
            ))}
          </nav>
        </>
      }
      empty={counts === null || counts.all === 0 ? NO_STATEMENTS : <NoOpenStatements all={counts.all} />}
    />
  )
}

const NO_STATEMENTS = (
  <EmptyRows title="No statements yet">Imported statements and their results appear here.</EmptyRows>
)

const NoOpenStatements = ({ all }: { all: number }) => (
  <EmptyRows title="No open statements">
    {all === 1 ? 'The statement is handled.' : `All ${formatCount(all)} statements are handled.`}
  </EmptyRows>
)

export const statementColumns: readonly Column<ListedStatement>[] = [
  {
    id: 'statement',
    head: 'Statement',
    always: true,
    fills: true,
    cell: ({ id, fileName, account, work }) => (
      <span className="block whitespace-normal py-1 wrap-anywhere">
        <span className="-ml-1 block">
          <RowLink href={`/deposits/statements/${encodeURIComponent(id)}`}>{visibleText(fileName)}</RowLink>
        </span>
        {account === '' ? null : <span className="block text-secondary-foreground text-xs">{account}</span>}
        {work === null ? null : <Work work={work} />}
      </span>
    ),
  },
  { id: 'open', head: 'Open', always: true, align: 'right', cell: (statement) => <Open statement={statement} /> },
  { id: 'days', head: 'Booked', cell: ({ days }) => <span className="figures">{daysWords(days)}</span> },
  {
    id: 'age',
    head: 'Age',
    cell: ({ importedAt }) => (
      // As wide as a date, so that nothing moves on hydration.
      <span className="inline-block min-w-20">
        <Timestamp value={importedAt} as="age" />
      </span>
    ),
  },
  { id: 'by', head: 'Imported by', cell: ({ importedBy }) => <CutText text={importedBy} /> },
]

const daysWords = (days: ListedStatement['days']): string => {
  if (days === null) return '–'
  return days.first === days.last ? days.first : `${days.first} to ${days.last}`
}

function Work({ work: { work, done, total, cutOff } }: { work: StatementWork }) {
  if (cutOff) return badgeOf(CircleAlert, 'attention', 'Interrupted')
  return (
    <Badge variant="working" icon={Hourglass}>
      {work === 'confirm' ? 'Confirming' : 'Looking up'}: {formatCount(done)} of {formatCount(total)}
    </Badge>
  )
}

const CURRENCIES_SHOWN = 2

/** Sums are never added across currencies. */
function Open({ statement: { open, lines } }: { statement: ListedStatement }) {
  const count = open.reduce((sum, total) => sum + total.count, 0)
  return (
    <span className="figures grid justify-items-end py-1">
      {count === 0
        ? badgeOf(Check, 'good', 'All handled')
        : open.slice(0, CURRENCIES_SHOWN).map(({ currency, sum }) => (
            <span key={currency} className="font-semibold">
              {shownAmount(sum)}{' '}
              <span className="inline-block max-w-[8ch] truncate align-bottom font-medium text-[11px] text-muted-foreground">
                {visibleText(currency)}
              </span>
            </span>
          ))}
      {open.length > CURRENCIES_SHOWN ? <span className="text-xs">and more</span> : null}
      <span className="text-secondary-foreground text-xs">
        {count === 0 ? counted(lines, 'line') : `${formatCount(count)} of ${counted(lines, 'line')}`}
      </span>
    </span>
  )
}
