import { CaseAge } from '#components/disputes/case-marks.tsx'
import { Money } from '#components/values/money.tsx'
import { Reference } from '#components/values/reference.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import type { Transaction } from '#lib/contract/transactions.ts'
import { roleIn } from '#lib/disputes/resolution.ts'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import { visibleText } from '#lib/values/text.ts'

/** A longer reason may take more than two lines, so it is collapsed. */
const SHORT_CHARS = 80

interface CaseReasonProps {
  found: ThreadCase
  transaction: Pick<Transaction, 'fromAccountId' | 'toAccountId' | 'debit'> | null
}

export function CaseReason({ found, transaction }: CaseReasonProps) {
  const { reason, raisedByUserId, counterpartyUserId, status, createdAt } = found
  const { fromAccountId = null, toAccountId = null, debit = null } = transaction ?? {}
  const role = roleIn({ raisedByUserId, counterpartyUserId, fromAccountId, toAccountId }, raisedByUserId)
  return (
    <section aria-label="Reason for the dispute" className="grid min-w-0 gap-0.5">
      <Words reason={reason} />
      {/* Hidden on a low screen to leave room for messages; the facts panel shows it too. */}
      <p className="flex flex-wrap items-center gap-x-3 text-muted-foreground text-xs short:hidden">
        {role === 'Sender' || role === 'Recipient' ? (
          `raised by the ${role.toLowerCase()}`
        ) : (
          <span className="inline-flex items-center gap-1.5">
            raised by <Reference value={raisedByUserId} name="user who raised it" short mark />
          </span>
        )}
        {debit === null ? null : <Money amount={debit} />}
        <Timestamp value={createdAt} />
        {status === 'OPEN' ? <CaseAge createdAt={createdAt} status={status} /> : null}
      </p>
    </section>
  )
}

function Words({ reason }: { reason: string }) {
  if (reason.trim() === '') return <p className="text-secondary-foreground text-sm">No reason given</p>
  const shown = `“${visibleText(reason)}”`
  const look = 'whitespace-pre-wrap font-semibold text-sm [overflow-wrap:anywhere]'
  if ([...reason].length <= SHORT_CHARS && !reason.includes('\n')) {
    return (
      <p dir="auto" className={look}>
        {shown}
      </p>
    )
  }
  return (
    <details className="group">
      <summary className="list-none short:flex short:items-baseline short:gap-2">
        <span
          dir="auto"
          className={`line-clamp-2 short:group-not-open:line-clamp-1 group-open:line-clamp-none group-open:max-h-[30dvh] group-open:overflow-y-auto ${look}`}
        >
          {shown}
        </span>
        <span className="shrink-0 text-primary text-xs group-open:hidden">Show all</span>
        <span className="hidden shrink-0 text-primary text-xs group-open:inline">Show less</span>
      </summary>
    </details>
  )
}
