import Link from 'next/link'
import { Suspense } from 'react'
import { PageHead } from '#components/frame/page-head.tsx'
import { Panel } from '#components/frame/panel.tsx'
import { ProblemPanel } from '#components/service/problem-panel.tsx'
import { buttonVariants } from '#components/ui/button.tsx'
import { Reference } from '#components/values/reference.tsx'
import type { Transaction } from '#lib/contract/transactions.ts'
import { requireSession } from '#lib/session/current.ts'
import type { Session } from '#lib/session/session.ts'
import { referenceFault } from '#lib/transactions/reference.ts'
import { statesSeen } from '#lib/transactions/states-seen.ts'
import { readTransaction } from '#lib/transactions/transaction-service.ts'
import { LookUpForm } from '../../look-up-form.tsx'
import { readOrLeave } from '../../read-or-leave.ts'
import { DisputeSection } from './dispute-section.tsx'
import { AmountsPanel, ChainPanel, PartiesPanel, StatePanel } from './transaction-panels.tsx'

type Params = Promise<{ referenceId: string }>

export default async function TransactionPage({ params }: { params: Params }) {
  const session = await requireSession()
  const reference = decodeURIComponent((await params).referenceId)
  const fault = referenceFault(reference)
  const result = fault === null ? await readOrLeave(readTransaction(session, reference)) : null
  return (
    <>
      <PageHead
        title="Transaction"
        lead={<Reference value={reference} name="Reference" whole />}
        action={result?.ok && result.value.state === 'QUEUED' ? <ConfirmLink reference={reference} /> : null}
      />
      {result?.ok ? (
        <Found session={session} transaction={result.value} readAt={result.serviceTime ?? new Date().toISOString()} />
      ) : null}
      {result?.ok === false ? (
        <Panel title="Look up" className="max-w-3xl">
          <div className="p-3.5">
            <LookUpForm value={reference} to="transactions" help="It is looked up exactly as it stands." />
          </div>
          <ProblemPanel problem={result.problem} className="border-t" />
        </Panel>
      ) : null}
      {fault === null ? null : <p role="alert">{fault}</p>}
    </>
  )
}

const ConfirmLink = ({ reference }: { reference: string }) => (
  <Link prefetch={false} href={`/deposits?${new URLSearchParams({ reference })}`} className={buttonVariants()}>
    Match and confirm
  </Link>
)

interface FoundProps {
  session: Session
  transaction: Transaction
  readAt: string
}

async function Found({ session, transaction, readAt }: FoundProps) {
  const seen = await statesSeen(transaction.referenceId)
  return (
    <div className="grid items-start gap-4 wide:grid-cols-2">
      <div className="grid gap-4">
        <StatePanel transaction={transaction} readAt={readAt} seen={seen} />
        <Suspense fallback={null}>
          <DisputeSection session={session} transaction={transaction} />
        </Suspense>
      </div>
      <div className="grid gap-4">
        <AmountsPanel transaction={transaction} />
        <PartiesPanel transaction={transaction} />
        <ChainPanel transaction={transaction} />
      </div>
    </div>
  )
}
