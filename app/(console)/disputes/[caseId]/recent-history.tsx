import Link from 'next/link'
import { Panel } from '#components/frame/panel.tsx'
import { ProblemPanel } from '#components/service/problem-panel.tsx'
import { IdMark } from '#components/values/id-mark.tsx'
import { Money } from '#components/values/money.tsx'
import { ServiceName } from '#components/values/service-name.tsx'
import { StateBadge } from '#components/values/state-badge.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import type { Transaction } from '#lib/contract/transactions.ts'
import { isAmong } from '#lib/disputes/resolution.ts'
import type { Session } from '#lib/session/session.ts'
import { readAccountHistory } from '#lib/transactions/transaction-service.ts'
import { endOf } from '#lib/values/uuid.ts'
import { PartyLabel } from './thread-message.tsx'

const SHOWN = 5

interface RecentHistoryProps {
  session: Session
  party: 'Sender' | 'Recipient'
  userId: string
}

export async function RecentHistory({ session, party, userId }: RecentHistoryProps) {
  const history = await readAccountHistory(session, userId, { page: 1, pageSize: SHOWN })
  return (
    <Panel
      title={
        <span className="inline-flex items-center gap-1.5">
          <PartyLabel of={party} /> <IdMark id={userId} /> {endOf(userId)} lately
        </span>
      }
      aside={
        <Link href={`/users/${userId}`} prefetch={false} className="text-primary text-xs hover:underline">
          {history.ok ? `all ${history.value.total.toLocaleString('en-US')}` : 'all'}
        </Link>
      }
    >
      {history.ok ? (
        <ul className="divide-y text-sm">
          {history.value.rows.map((row, at) => (
            <li key={row.readable ? row.value.referenceId : `row ${at}`} className="px-3.5 py-1.5">
              {row.readable ? (
                <HistoryLine transaction={row.value} userId={userId} />
              ) : (
                <span className="text-danger">A row that this console cannot read.</span>
              )}
            </li>
          ))}
          {history.value.rows.length === 0 ? (
            <li className="px-3.5 py-3 text-secondary-foreground">No transaction yet.</li>
          ) : null}
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
        className="truncate text-primary hover:underline"
      >
        <ServiceName of="transactionType" name={transactionType} />
      </Link>
      <span className="figures">
        {out ? '−' : null}
        <Money amount={out ? debit : credit} />
      </span>
      <span className="text-muted-foreground text-xs">
        <Timestamp value={createdAt} as="past" />
      </span>
      <StateBadge state={state} />
    </div>
  )
}
