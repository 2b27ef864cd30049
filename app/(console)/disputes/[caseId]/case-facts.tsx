import { Suspense } from 'react'
import { Panel } from '#components/frame/panel.tsx'
import { ProblemPanel } from '#components/service/problem-panel.tsx'
import { StatesSeen } from '#components/transactions/states-seen.tsx'
import { Fact, Facts } from '#components/values/facts.tsx'
import { Money } from '#components/values/money.tsx'
import { Reference } from '#components/values/reference.tsx'
import { ServiceName } from '#components/values/service-name.tsx'
import { StateBadge } from '#components/values/state-badge.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import type { Transaction } from '#lib/contract/transactions.ts'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import type { Result } from '#lib/service/answer.ts'
import type { Session } from '#lib/session/session.ts'
import { statesSeen } from '#lib/transactions/states-seen.ts'
import { stateTold } from '#lib/transactions/transaction-state.ts'
import { Money as Amount } from '#lib/values/money.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { EarlierCasesPanel } from './earlier-cases.tsx'
import { RecentHistory } from './recent-history.tsx'
import { PartyLabel } from './thread-message.tsx'

interface TransactionFactsProps {
  transaction: Result<Transaction>
  /** ISO 8601, by the service's clock. */
  raisedAt: string
}

export function TransactionFacts({ transaction, raisedAt }: TransactionFactsProps) {
  if (transaction.ok) {
    const readAt = transaction.serviceTime ?? new Date().toISOString()
    return <TransactionPanel transaction={transaction.value} readAt={readAt} raisedAt={raisedAt} />
  }
  return (
    <Panel title="Transaction" meaning="attention">
      <ProblemPanel problem={transaction.problem} />
    </Panel>
  )
}

interface CaseFactsProps extends Pick<TransactionFactsProps, 'transaction'> {
  session: Session
  found: ThreadCase
}

export function CaseFacts({ session, found, transaction }: CaseFactsProps) {
  return (
    <>
      <CasePanel found={found} />
      <Suspense fallback={<Reading title="Seen before" />}>
        <EarlierCasesPanel session={session} found={found} />
      </Suspense>
      {transaction.ok ? (
        <>
          <Suspense fallback={<Reading title="Sender lately" />}>
            <RecentHistory session={session} party="Sender" userId={transaction.value.fromAccountId} />
          </Suspense>
          <Suspense fallback={<Reading title="Recipient lately" />}>
            <RecentHistory session={session} party="Recipient" userId={transaction.value.toAccountId} />
          </Suspense>
        </>
      ) : null}
    </>
  )
}

const Reading = ({ title }: { title: string }) => (
  <Panel title={title}>
    <p className="px-3.5 py-3 text-muted-foreground text-sm">Reading</p>
  </Panel>
)

interface TransactionPanelProps {
  transaction: Transaction
  /** By the service's clock, if the service sent its time; otherwise by the console's. */
  readAt: string
  raisedAt: string
}

async function TransactionPanel({ transaction, readAt, raisedAt }: TransactionPanelProps) {
  const { referenceId, state, debit, credit, fromAccountId, toAccountId, createdAt, note, transactionType } =
    transaction
  const [pays, gets] = [Amount.fromWire(debit), Amount.fromWire(credit)]
  const seen = await statesSeen(referenceId)
  return (
    <Panel title="Transaction" aside={<StateBadge state={state} />}>
      <Facts>
        <Fact label="Reference">
          <Reference
            value={referenceId}
            name="Reference"
            href={`/transactions/${encodeURIComponent(referenceId)}`}
            short
          />
        </Fact>
        <Fact label="Type">
          <ServiceName of="transactionType" name={transactionType} />
        </Fact>
        <Fact label={<PartyLabel of="Sender" />}>
          <Reference mark value={fromAccountId} name="Sender" href={`/users/${fromAccountId}`} short />
        </Fact>
        <Fact label="Sender pays">
          <Money amount={debit} />
        </Fact>
        <Fact label={<PartyLabel of="Recipient" />}>
          <Reference mark value={toAccountId} name="Recipient" href={`/users/${toAccountId}`} short />
        </Fact>
        <Fact label="For the recipient">
          <Money amount={credit} />
        </Fact>
        <Fact label="Fee">
          {pays === null || gets === null ? 'not readable' : <Money amount={pays.minus(gets).toExact()} />}
        </Fact>
        <Fact label="Created">
          <Timestamp value={createdAt} />
        </Fact>
        {note === '' ? null : <Fact label="Note">{visibleText(note)}</Fact>}
      </Facts>
      <div className="border-t">
        <StatesSeen
          present={{ state, firstSeenAt: readAt }}
          type={transactionType}
          seen={seen}
          told={[{ state: 'DISPUTED', at: raisedAt }, ...stateTold(transaction)]}
        />
      </div>
    </Panel>
  )
}

const CasePanel = ({ found }: { found: ThreadCase }) => (
  <Panel title="Case" aside={<StateBadge state={found.status} of="case" />}>
    <Facts>
      <Fact label="Raised by">
        <Reference mark value={found.raisedByUserId} name="Raised by" href={`/users/${found.raisedByUserId}`} short />
      </Fact>
      <Fact label="Against">
        <Reference
          mark
          value={found.counterpartyUserId}
          name="Against"
          href={`/users/${found.counterpartyUserId}`}
          short
        />
      </Fact>
      <Fact label="Opened">
        <Timestamp value={found.createdAt} />
      </Fact>
      {found.resolvedAt === null ? null : (
        <Fact label="Resolved">
          <Timestamp value={found.resolvedAt} />
        </Fact>
      )}
    </Facts>
  </Panel>
)
