import { type ComponentProps, type ReactNode, Suspense } from 'react'
import { PageHead } from '#components/frame/page-head.tsx'
import { ButtonLink, Panel, PanelOutline } from '#components/frame/panel.tsx'
import { ProblemPanel } from '#components/service/problem-panel.tsx'
import { StatesSeen } from '#components/transactions/states-seen.tsx'
import { Fact, Facts, ReferenceFact, ServiceName, TimeFact } from '#components/values/facts.tsx'
import { Money, MoneyFact } from '#components/values/money.tsx'
import { Reference } from '#components/values/reference.tsx'
import { StateBadge } from '#components/values/state-badge.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import { latestCommand } from '#lib/commands/view.ts'
import type { Transaction } from '#lib/contract/transactions.ts'
import type { Result } from '#lib/service/client.ts'
import { requireSession } from '#lib/session/current.ts'
import type { Session } from '#lib/session/session.ts'
import { confirmedHere } from '#lib/statements/confirmed-here.ts'
import {
  awaitsConfirmation,
  referenceFault,
  reportedStates,
  stateSince,
  transactionStateWords,
} from '#lib/transactions/transaction.ts'
import { readTransaction, statesSeen } from '#lib/transactions/transaction-service.ts'
import { Money as Amount } from '#lib/values/money.ts'
import { visibleText } from '#lib/values/text.ts'
import { LookUpForm } from '../../look-up-form.tsx'
import { readOrSignIn, recordShown, segmentText } from '../../page-reads.tsx'
import { Pin } from '../../recent-things.tsx'
import { ConfirmedPanel } from './confirmed-panel.tsx'
import { DisputeSection, readDispute, readReversal, SettledWords } from './dispute-section.tsx'
import { ResolveDispute } from './resolve-dispute.tsx'

export default async function TransactionPage({ params }: { params: Promise<{ referenceId: string }> }) {
  const session = await requireSession()
  const reference = segmentText((await params).referenceId)
  const fault = referenceFault(reference)
  const reading = fault === null ? readTransaction(session, reference) : null
  return (
    <>
      <PageHead
        title="Transaction"
        lead={<Reference value={reference} name="Reference" whole />}
        action={
          <>
            {reading === null ? null : <Pin session={session} thing={{ kind: 'transaction', id: reference }} />}
            <Suspense fallback={null}>
              <ConfirmLink reading={reading} />
            </Suspense>
          </>
        }
      />
      {reading === null ? (
        <p role="alert">{fault}</p>
      ) : (
        <Suspense key={reference} fallback={<Outline />}>
          <LookedUp session={session} reference={reference} reading={reading} />
        </Suspense>
      )}
    </>
  )
}

type Reading = Promise<Result<Transaction>>

async function ConfirmLink({ reading }: { reading: Reading | null }) {
  const result = await reading
  if (!result?.ok) return null
  const { referenceId, state, transactionType: type } = result.value
  if (!awaitsConfirmation({ state, type })) return null
  return (
    <ButtonLink href={`/deposits?${new URLSearchParams({ reference: referenceId })}`}>Match and confirm</ButtonLink>
  )
}

const Outline = () => (
  <div className="grid items-start gap-4 wide:grid-cols-2">
    <PanelOutline title="State" lines={8} />
    <div className="grid gap-4">
      <PanelOutline title="Amounts" lines={3} />
      <PanelOutline title="Parties" lines={2} />
      <PanelOutline title="Chain" lines={3} />
    </div>
  </div>
)

async function LookedUp({ session, reference, reading }: { session: Session; reference: string; reading: Reading }) {
  const result = await readOrSignIn(reading)
  if (result.ok) {
    recordShown(session, { kind: 'transaction', id: reference })
    return (
      <Found session={session} transaction={result.value} readAt={result.serviceTime ?? new Date().toISOString()} />
    )
  }
  const latest = await latestCommand(session, 'transaction.resolve', reference)
  // Placed as in {@link Found}, so that React keeps a shown outcome.
  return (
    <div className="max-w-3xl">
      <div className="grid gap-4">
        <Panel title="Look up">
          <div className="p-3.5">
            <LookUpForm value={reference} to="transactions" help="Exactly as written." takesFocus={latest === null} />
          </div>
          <ProblemPanel problem={result.problem} className="border-t" />
        </Panel>
        <Suspense>
          {latest === null ? null : <ResolveDispute referenceId={reference} form={null} latest={latest} />}
        </Suspense>
      </div>
    </div>
  )
}

async function Found({ session, transaction, readAt }: { session: Session; transaction: Transaction; readAt: string }) {
  const { referenceId, transactionType } = transaction
  const dispute = readDispute(session, transaction)
  const reversal = readReversal(session, transaction, dispute)
  // Prevents an unhandled rejection; the parts that await these promises report the failure.
  for (const reading of [dispute, reversal]) reading.catch(() => {})
  const [seen, confirmed] = await Promise.all([statesSeen(referenceId), confirmedHere(session, referenceId)])
  return (
    <div className="grid items-start gap-4 wide:grid-cols-2">
      <div className="grid gap-4">
        <StatePanel
          {...{ transaction, readAt, seen }}
          settled={<SettledWords dispute={dispute} reversal={reversal} seen={seen} />}
        />
        <Suspense fallback={null}>
          <DisputeSection session={session} transaction={transaction} dispute={dispute} />
        </Suspense>
      </div>
      <div className="grid gap-4">
        <AmountsPanel transaction={transaction} />
        <ConfirmedPanel type={transactionType} confirmed={confirmed} />
        <PartiesPanel transaction={transaction} />
        <ChainPanel transaction={transaction} />
      </div>
    </div>
  )
}

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

function StatePanel({ transaction, readAt, seen, settled }: StatePanelProps) {
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
        reported={reportedStates(transaction)}
      />
      <Facts className="border-t">
        <TimeFact label="Created" value={createdAt} />
        <Fact label="Settled">{settledAt === null ? 'not yet' : <Timestamp value={settledAt} />}</Fact>
        {failReason === '' ? null : <Fact label="Failed because">{visibleText(failReason)}</Fact>}
        <ReferenceFact label="Ledger row" value={transactionId} name="Ledger row" />
      </Facts>
    </Panel>
  )
}

function AmountsPanel({ transaction }: PanelProps) {
  const { debit, credit, transactionType, note } = transaction
  const [pays, gets] = [Amount.fromWire(debit), Amount.fromWire(credit)]
  return (
    <Panel title="Amounts" aside={<ServiceName of="transactionType" name={transactionType} />}>
      <Facts>
        <MoneyFact label="Sender pays" value={debit} />
        <MoneyFact label="For the recipient" value={credit} />
        <Fact label="Fee">
          {pays === null || gets === null ? 'not readable' : <Money amount={pays.minus(gets).toExact()} />}
        </Fact>
        {note === '' ? null : <Fact label="Note">{visibleText(note)}</Fact>}
      </Facts>
    </Panel>
  )
}

const PartiesPanel = ({ transaction }: PanelProps) => (
  <Panel title="Parties">
    <Facts>
      <UserFact label="Sender" id={transaction.fromAccountId} />
      <UserFact label="Recipient" id={transaction.toAccountId} />
    </Facts>
  </Panel>
)

const UserFact = ({ id, label }: { id: string; label: string }) => (
  <ReferenceFact label={label} mark value={id} name={label} href={`/users/${encodeURIComponent(id)}`} />
)

function ChainPanel({ transaction }: PanelProps) {
  const { chainReferenceId, txContractAddress, txContractVersion } = transaction
  return (
    <Panel title="Chain">
      <Facts>
        <ChainFact label="Chain reference" value={chainReferenceId} />
        <ChainFact label="Contract address" value={txContractAddress} />
        <Fact label="Contract version">
          <span className="mono">{txContractVersion === '' ? 'none' : txContractVersion}</span>
        </Fact>
      </Facts>
    </Panel>
  )
}

const ChainFact = ({ label, value }: { label: string; value: string }) => (
  <Fact label={label}>{value === '' ? 'none' : <Reference value={value} name={label} />}</Fact>
)
