import Link from 'next/link'
import { Money } from '#components/domain/money.tsx'
import { ProblemPanel } from '#components/domain/problem-panel.tsx'
import { StateBadge } from '#components/domain/state-badge.tsx'
import { Timestamp } from '#components/domain/timestamp.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { Transaction } from '#lib/contract/transactions.ts'
import { readAccountHistory } from '#lib/core-api/transactions.ts'
import { isAmong } from '#lib/domain/resolution.ts'
import { endOf } from '#lib/domain/uuid.ts'
import { visibleText } from '#lib/domain/visible-text.ts'
import type { Session } from '#lib/session/session.ts'

const SHOWN = 5

interface RecentHistoryProps {
  session: Session
  party: 'Sender' | 'Recipient'
  userId: string
}

/** What one of the two did lately. */
export async function RecentHistory({ session, party, userId }: RecentHistoryProps) {
  const history = await readAccountHistory(session, userId, { page: 1, pageSize: SHOWN })
  return (
    <Panel
      title={`${party} ${endOf(userId)} lately`}
      aside={
        <Link href={`/users/${userId}`} prefetch={false} className="text-accent text-xs hover:underline">
          {history.ok ? `all ${history.value.total.toLocaleString('en-US')}` : 'all'}
        </Link>
      }
    >
      {history.ok ? (
        <ul className="divide-y divide-line text-sm">
          {history.value.rows.map((row, at) => (
            <li key={row.readable ? row.value.referenceId : `row ${at}`} className="px-3.5 py-1.5">
              {row.readable ? (
                <HistoryLine transaction={row.value} userId={userId} />
              ) : (
                <span className="text-danger">A row that this console cannot read.</span>
              )}
            </li>
          ))}
          {history.value.rows.length === 0 ? <li className="px-3.5 py-3 text-ink-2">No transaction yet.</li> : null}
        </ul>
      ) : (
        <ProblemPanel problem={history.problem} />
      )}
    </Panel>
  )
}

function HistoryLine({ transaction, userId }: { transaction: Transaction; userId: string }) {
  const { referenceId, transactionType, state, fromAccountId, debit, credit, createdAt } = transaction
  const out = isAmong(userId, [fromAccountId])
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3">
      <Link
        href={`/transactions/${encodeURIComponent(referenceId)}`}
        prefetch={false}
        className="mono truncate text-accent hover:underline"
      >
        {visibleText(transactionType)}
      </Link>
      <span>
        {out ? '−' : null}
        <Money amount={out ? debit : credit} />
      </span>
      <span className="text-ink-3 text-xs">
        <Timestamp value={createdAt} as="relative" />
      </span>
      <StateBadge state={state} />
    </div>
  )
}
