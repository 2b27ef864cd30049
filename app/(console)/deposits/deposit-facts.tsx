import { Fact, Facts, ServiceName } from '#components/values/facts.tsx'
import { Money } from '#components/values/money.tsx'
import { Reference } from '#components/values/reference.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import { visibleText } from '#lib/values/visible-text.ts'

/** Amounts and times are kept as received from the service. */
export interface DepositFacts {
  readonly reference: string
  readonly debit: string
  readonly credit: string
  readonly state: string
  readonly toAccountId: string
  readonly createdAt: string
  readonly note: string
  readonly transactionType: string
  /** Null when the deposit can be confirmed. */
  readonly fault: string | null
}

interface DepositFactsListProps {
  facts: DepositFacts
  /** The amount is shown below, beside the bank's amount. */
  compared: boolean
}

export function DepositFactsList({ facts, compared }: DepositFactsListProps) {
  const same = facts.debit === facts.credit
  return (
    <Facts className="sm:grid-cols-2 sm:gap-x-8">
      <Fact label="Reference">
        <Reference
          value={facts.reference}
          name="Reference"
          href={`/transactions/${encodeURIComponent(facts.reference)}`}
        />
      </Fact>
      <Fact label="Type">
        <ServiceName of="transactionType" name={facts.transactionType} />
      </Fact>
      <Fact label="Holder">
        <Reference mark value={facts.toAccountId} name="Holder" />
      </Fact>
      <Fact label="Announced">
        <Timestamp value={facts.createdAt} as="past" />
      </Fact>
      {same && compared ? null : (
        <Fact label={same ? 'Amount' : 'Sender pays'}>
          <Money amount={facts.debit} />
        </Fact>
      )}
      {same ? null : (
        <Fact label="Recipient gets">
          <Money amount={facts.credit} />
        </Fact>
      )}
      {facts.note === '' ? null : <Fact label="Note">{visibleText(facts.note)}</Fact>}
    </Facts>
  )
}
