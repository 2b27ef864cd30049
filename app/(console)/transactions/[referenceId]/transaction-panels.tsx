import { type ComponentProps, type ReactNode, Suspense } from 'react'
import { Panel } from '#components/frame/panel.tsx'
import { StatesSeen } from '#components/transactions/states-seen.tsx'
import { Fact, Facts } from '#components/values/facts.tsx'
import { Money } from '#components/values/money.tsx'
import { Reference } from '#components/values/reference.tsx'
import { ServiceName } from '#components/values/service-name.tsx'
import { StateBadge } from '#components/values/state-badge.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import type { Transaction } from '#lib/contract/transactions.ts'
import { stateSince, stateTold, transactionStateWords } from '#lib/transactions/transaction-state.ts'
import { Money as Amount } from '#lib/values/money.ts'
import { visibleText } from '#lib/values/visible-text.ts'

interface PanelProps {
  transaction: Transaction
}

interface StatePanelProps extends PanelProps {
  /** By the service's clock, if the service sent its time. */
  readAt: string
  seen: ComponentProps<typeof StatesSeen>['seen']
  /** Replaces the text for PROCESSED once the dispute has been read. */
  settled: ReactNode
}

export function StatePanel({ transaction, readAt, seen, settled }: StatePanelProps) {
  const { state, createdAt, settledAt, failReason, transactionId, transactionType } = transaction
  const { sentence } = transactionStateWords(state)
  return (
    <Panel title="State" aside={<StateBadge state={state} />}>
      <p className="px-3.5 pt-3 text-sm">
        {state === 'PROCESSED' ? <Suspense fallback={sentence}>{settled}</Suspense> : sentence}
      </p>
      <StatesSeen
        present={{ state, firstSeenAt: readAt, since: stateSince(transaction) }}
        type={transactionType}
        seen={seen}
        told={stateTold(transaction)}
      />
      <Facts className="border-t">
        <Fact label="Created">
          <Timestamp value={createdAt} />
        </Fact>
        <Fact label="Settled">{settledAt === null ? 'not yet' : <Timestamp value={settledAt} />}</Fact>
        {failReason === '' ? null : <Fact label="Failed because">{visibleText(failReason)}</Fact>}
        <Fact label="Ledger row">
          <Reference value={transactionId} name="Ledger row" />
        </Fact>
      </Facts>
    </Panel>
  )
}

export function AmountsPanel({ transaction }: PanelProps) {
  const { debit, credit, transactionType, note } = transaction
  const [pays, gets] = [Amount.fromWire(debit), Amount.fromWire(credit)]
  return (
    <Panel title="Amounts" aside={<ServiceName of="transactionType" name={transactionType} />}>
      <Facts>
        <Fact label="Sender pays">
          <Money amount={debit} />
        </Fact>
        <Fact label="For the recipient">
          <Money amount={credit} />
        </Fact>
        <Fact label="Fee">
          {pays === null || gets === null ? 'not readable' : <Money amount={pays.minus(gets).toExact()} />}
        </Fact>
        {note === '' ? null : <Fact label="Note">{visibleText(note)}</Fact>}
      </Facts>
    </Panel>
  )
}

export function PartiesPanel({ transaction }: PanelProps) {
  return (
    <Panel title="Parties">
      <Facts>
        <Fact label="Sender">
          <User id={transaction.fromAccountId} name="Sender" />
        </Fact>
        <Fact label="Recipient">
          <User id={transaction.toAccountId} name="Recipient" />
        </Fact>
      </Facts>
    </Panel>
  )
}

const User = ({ id, name }: { id: string; name: string }) => (
  <Reference mark value={id} name={name} href={`/users/${encodeURIComponent(id)}`} />
)

export function ChainPanel({ transaction }: PanelProps) {
  const { chainReferenceId, txContractAddress, txContractVersion } = transaction
  return (
    <Panel title="Chain">
      <Facts>
        <Fact label="Chain reference">
          {chainReferenceId === '' ? 'none' : <Reference value={chainReferenceId} name="Chain reference" />}
        </Fact>
        <Fact label="Contract address">
          {txContractAddress === '' ? 'none' : <Reference value={txContractAddress} name="Contract address" />}
        </Fact>
        <Fact label="Contract version">
          <span className="mono">{txContractVersion === '' ? 'none' : txContractVersion}</span>
        </Fact>
      </Facts>
    </Panel>
  )
}
