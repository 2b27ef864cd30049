import Link from 'next/link'
import { type ReactNode, Suspense } from 'react'
import { MoreLink, Panel, QuietLink } from '#components/frame/panel.tsx'
import { ProblemPanel } from '#components/service/problem-panel.tsx'
import { StatesSeen } from '#components/transactions/states-seen.tsx'
import { Card, CardTitle } from '#components/ui/card.tsx'
import { cn } from '#components/ui/cn.ts'
import { ChevronDown } from '#components/ui/icons.tsx'
import { Fact, Facts, ReferenceFact, ServiceName, TimeFact } from '#components/values/facts.tsx'
import { IdMark } from '#components/values/id-mark.tsx'
import { Money, MoneyFact } from '#components/values/money.tsx'
import { StateBadge } from '#components/values/state-badge.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import type { Transaction } from '#lib/contract/transactions.ts'
import { type EarlierCase, type EarlierCases, earlierCasesWith } from '#lib/disputes/queue/find-cases.ts'
import { caseCountWords, countOf } from '#lib/disputes/queue/words.ts'
import { isAmong } from '#lib/disputes/resolution.ts'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import type { Result } from '#lib/service/client.ts'
import type { Session } from '#lib/session/session.ts'
import { reportedStates } from '#lib/transactions/transaction.ts'
import { readAccountHistory, statesSeen } from '#lib/transactions/transaction-service.ts'
import { shortId } from '#lib/values/ids.ts'
import { Money as Amount } from '#lib/values/money.ts'
import { visibleText } from '#lib/values/text.ts'
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

interface CaseFactsProps {
  session: Session
  found: ThreadCase
}

export const EarlierCasesOf = (props: CaseFactsProps) => (
  <Suspense
    fallback={
      <Panel title="Earlier cases">
        <p className="px-3.5 py-3 text-muted-foreground text-sm">Reading</p>
      </Panel>
    }
  >
    <EarlierCasesPanel {...props} />
  </Suspense>
)

export const CaseFacts = ({
  session,
  found,
  transaction,
}: CaseFactsProps & Pick<TransactionFactsProps, 'transaction'>) => (
  <>
    <CasePanel found={found} />
    {transaction.ok ? (
      <>
        <RecentHistory session={session} party="Sender" userId={transaction.value.fromAccountId} />
        <RecentHistory session={session} party="Recipient" userId={transaction.value.toAccountId} />
      </>
    ) : null}
  </>
)

const summaryLine = 'flex min-h-11 cursor-pointer items-center gap-2 px-3.5 py-2'

const Unfold = () => <ChevronDown aria-hidden className="ml-auto size-4 group-open:rotate-180" />

const FoldedPanel = ({ title, children }: { title: ReactNode; children: ReactNode }) => (
  <Card>
    <details className="group">
      <summary className={summaryLine}>
        <CardTitle>{title}</CardTitle>
        <Unfold />
      </summary>
      <div className="border-t">{children}</div>
    </details>
  </Card>
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
        <ReferenceFact
          label="Reference"
          value={referenceId}
          name="Reference"
          href={`/transactions/${encodeURIComponent(referenceId)}`}
          short
        />
        <Fact label="Type">
          <ServiceName of="transactionType" name={transactionType} />
        </Fact>
        <UserFact label={<PartyLabel of="Sender" />} name="Sender" id={fromAccountId} />
        <MoneyFact label="Sender pays" value={debit} />
        <UserFact label={<PartyLabel of="Recipient" />} name="Recipient" id={toAccountId} />
        <MoneyFact label="For the recipient" value={credit} />
        <Fact label="Fee">
          {pays === null || gets === null ? 'not readable' : <Money amount={pays.minus(gets).toExact()} />}
        </Fact>
        <TimeFact label="Created" value={createdAt} />
        {note === '' ? null : <Fact label="Note">{visibleText(note)}</Fact>}
      </Facts>
      <details className="group border-t">
        <summary className={cn(summaryLine, 'text-sm')}>
          States
          <Unfold />
        </summary>
        <StatesSeen
          present={{ state, firstSeenAt: readAt }}
          type={transactionType}
          seen={seen}
          reported={[{ state: 'DISPUTED', at: raisedAt }, ...reportedStates(transaction)]}
        />
      </details>
    </Panel>
  )
}

const UserFact = ({ label, name, id }: { label: ReactNode; name: string; id: string }) => (
  <ReferenceFact label={label} name={name} value={id} href={`/users/${id}`} mark short />
)

const CasePanel = ({ found }: { found: ThreadCase }) => (
  <FoldedPanel title="Case">
    <Facts>
      <UserFact label="Raised by" name="Raised by" id={found.raisedByUserId} />
      <UserFact label="Against" name="Against" id={found.counterpartyUserId} />
      <TimeFact label="Opened" value={found.createdAt} />
      {found.resolvedAt === null ? null : <TimeFact label="Resolved" value={found.resolvedAt} />}
    </Facts>
  </FoldedPanel>
)

const SHOWN = 5

async function EarlierCasesPanel({ session, found }: CaseFactsProps) {
  const { raisedByUserId, counterpartyUserId } = found
  const [raiser, other] = await Promise.all([
    earlierCasesWith(session, raisedByUserId, found.id),
    earlierCasesWith(session, counterpartyUserId, found.id),
  ])
  if ('notKnown' in raiser) return <NotKnown why={raiser.notKnown} />
  if ('notKnown' in other) return <NotKnown why={other.notKnown} />
  return (
    <SeenBefore>
      <OfOne who="raised it" userId={raisedByUserId} earlier={raiser} />
      <OfOne who="the other side" userId={counterpartyUserId} earlier={other} />
    </SeenBefore>
  )
}

const SeenBefore = ({ children }: { children: ReactNode }) => (
  <Panel title="Earlier cases" aside={<span className="text-muted-foreground text-xs">read by this console</span>}>
    {children}
  </Panel>
)

const NotKnown = ({ why }: { why: string }) => (
  <SeenBefore>
    <p className="px-3.5 py-2.5 text-attention text-sm">Other cases of the parties are not known. {why}</p>
  </SeenBefore>
)

function OfOne({ who, userId, earlier: { cases, counts } }: { who: string; userId: string; earlier: EarlierCases }) {
  const words = caseCountWords(counts)
  return (
    <section className="px-3.5 py-2.5 text-sm not-first:border-t">
      <h3 className="flex items-center gap-1.5 text-muted-foreground">
        <IdMark id={userId} />
        <span>
          <span className="mono">{shortId(userId)}</span>, {who}
        </span>
      </h3>
      {countOf(counts) === 0 ? (
        <p>{words}</p>
      ) : (
        <Link
          href={`/disputes?${new URLSearchParams({ status: 'all', party: userId })}`}
          prefetch={false}
          className="figures text-primary underline-offset-4 [white-space:normal] hover:underline"
        >
          {words}
        </Link>
      )}
      {cases.length === 0 ? null : (
        <ul className="mt-1 grid gap-1">
          {cases.slice(0, SHOWN).map((earlier) => (
            <Line key={earlier.id} earlier={earlier} />
          ))}
        </ul>
      )}
    </section>
  )
}

const Line = ({ earlier: { id, status, outcome, role, createdAt } }: { earlier: EarlierCase }) => (
  <li className="flex items-center gap-x-1.5">
    <QuietLink href={`/disputes/${id}`} className="mono inline-flex shrink-0 items-center gap-1.5">
      <IdMark id={id} />
      {shortId(id)}
    </QuietLink>
    <span className="min-w-0 text-muted-foreground text-xs">
      {role === 'raised-by' ? 'raised' : 'against'}, <Timestamp value={createdAt} as="past" />
    </span>
    <span className="ml-auto shrink-0">
      {outcome === null ? (
        <StateBadge state={status} of="case" />
      ) : (
        <ServiceName of="resolutionOutcome" name={outcome} />
      )}
    </span>
  </li>
)

const HISTORY_SHOWN = 5

interface RecentHistoryProps {
  session: Session
  party: 'Sender' | 'Recipient'
  userId: string
}

const RecentHistory = (props: RecentHistoryProps) => (
  <FoldedPanel
    title={
      <span className="inline-flex items-center gap-1.5">
        <PartyLabel of={props.party} /> <IdMark id={props.userId} /> {shortId(props.userId)}: recent
      </span>
    }
  >
    <Suspense fallback={<p className="px-3.5 py-3 text-muted-foreground text-sm">Reading</p>}>
      <HistoryLines {...props} />
    </Suspense>
  </FoldedPanel>
)

async function HistoryLines({ session, userId }: RecentHistoryProps) {
  const history = await readAccountHistory(session, userId, { page: 1, pageSize: HISTORY_SHOWN })
  return (
    <>
      {history.ok ? (
        <ul className="divide-y text-sm">
          {history.value.rows.map((row, at) => (
            <li key={row.readable ? row.value.referenceId : `row ${at}`} className="px-3.5 py-1.5">
              {row.readable ? (
                <HistoryLine transaction={row.value} userId={userId} />
              ) : (
                <span className="text-danger">This row cannot be read.</span>
              )}
            </li>
          ))}
          {history.value.rows.length === 0 ? (
            <li className="px-3.5 py-3 text-secondary-foreground">No transactions yet.</li>
          ) : null}
        </ul>
      ) : (
        <ProblemPanel problem={history.problem} />
      )}
      <MoreLink count={history.ok ? history.value.total - history.value.rows.length : null} href={`/users/${userId}`} />
    </>
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
      <span className="figures text-right">
        {out ? '−' : null}
        <Money amount={out ? debit : credit} />
      </span>
      <span className="text-muted-foreground text-xs">
        <Timestamp value={createdAt} as="past" />
      </span>
      <span className="justify-self-end">
        <StateBadge state={state} />
      </span>
    </div>
  )
}
