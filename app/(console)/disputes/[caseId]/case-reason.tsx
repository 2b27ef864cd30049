import { Money } from '#components/values/money.tsx'
import { Reference } from '#components/values/reference.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import { type CaseParties, roleIn } from '#lib/disputes/case-role.ts'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import { visibleText } from '#lib/values/visible-text.ts'

/** More than this may take more than two lines, and is shown whole on demand. */
const SHORT_CHARS = 80

interface CaseReasonProps {
  found: ThreadCase
  parties: CaseParties
  /** What the sender pays, as the service gave it; null while the transaction cannot be read. */
  amount: string | null
}

/** Why a case was raised, in the words of who raised it, by whom and when: what the thread below it is about. */
export function CaseReason({ found: { reason, raisedByUserId, createdAt }, parties, amount }: CaseReasonProps) {
  const role = roleIn(parties, raisedByUserId)
  return (
    <section aria-label="Why the case was raised" className="grid gap-0.5 border-b bg-background px-4 py-2 sm:px-6">
      <Words reason={reason} />
      <p className="flex flex-wrap items-center gap-x-1.5 text-muted-foreground text-xs">
        <span>raised by {role === 'Sender' || role === 'Recipient' ? `the ${role.toLowerCase()}` : ''}</span>
        <Reference value={raisedByUserId} name="who raised it" short />
        <Timestamp value={createdAt} />
        {amount === null ? null : <Money amount={amount} />}
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
      <summary className="list-none">
        <span
          dir="auto"
          className={`line-clamp-2 group-open:line-clamp-none group-open:max-h-[30dvh] group-open:overflow-y-auto ${look}`}
        >
          {shown}
        </span>
        <span className="text-primary text-xs group-open:hidden">Show all</span>
        <span className="hidden text-primary text-xs group-open:inline">Show less</span>
      </summary>
    </details>
  )
}
