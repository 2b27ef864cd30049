import Link from 'next/link'
import type { Ref } from 'react'
import { Check } from '#components/ui/icons.tsx'
import { Fact, Facts, ServiceName, TimeFact } from '#components/values/facts.tsx'
import { Reference } from '#components/values/reference.tsx'
import { isAmong, type KnownReversal } from '#lib/disputes/resolution.ts'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import { visibleText } from '#lib/values/visible-text.ts'

interface ResolvedPanelProps {
  box: Ref<HTMLElement>
  found: ThreadCase
  reversal: KnownReversal
  /** The sender's id; null when the transaction cannot be read. */
  sender: string | null
  me: string | null
}

export function ResolvedPanel({ box, found, reversal, sender, me }: ResolvedPanelProps) {
  const { resolutionOutcome, resolutionReason, resolvedByUserId, resolvedAt } = found
  return (
    <section
      ref={box}
      tabIndex={-1}
      aria-label="Resolution"
      className="outline-offset-[-2px] max-h-[45%] overflow-y-auto border-t bg-good-wash/40"
    >
      <h2 className="flex items-center gap-2 px-4 pt-3 sm:px-6">
        <Check aria-hidden className="size-4 text-good" />
        Resolved. The thread is closed.
      </h2>
      <Facts className="sm:px-6">
        <Fact label="Outcome">
          {resolutionOutcome === null ? (
            'not given by the service'
          ) : (
            <ServiceName of="resolutionOutcome" name={resolutionOutcome} />
          )}
        </Fact>
        <Fact label="Reversing transaction">
          <Reversal reversal={reversal} sender={sender} />
        </Fact>
        <Fact label="By">
          {resolvedByUserId === null ? (
            'not given by the service'
          ) : (
            <span className="inline-flex min-w-0 items-center gap-1.5">
              {isAmong(me, [resolvedByUserId]) ? 'you,' : null}
              <Reference mark value={resolvedByUserId} name="who resolved it" />
            </span>
          )}
        </Fact>
        {resolvedAt === null ? null : <TimeFact label="When" value={resolvedAt} />}
      </Facts>
      <p className="whitespace-pre-wrap px-4 pb-3 text-sm [overflow-wrap:anywhere] sm:px-6">
        <span className="text-muted-foreground">Reason: </span>
        {resolutionReason === null ? 'none given' : visibleText(resolutionReason)}
      </p>
    </section>
  )
}

function Reversal({ reversal, sender }: Pick<ResolvedPanelProps, 'reversal' | 'sender'>) {
  if (reversal === 'none') return 'none: the payment stays with the recipient'
  if (reversal === 'not-confirmed') {
    return (
      <>
        Not confirmed yet.{' '}
        {sender === null ? null : (
          <Link href={`/users/${encodeURIComponent(sender)}`} prefetch={false} className="underline underline-offset-4">
            Check the sender’s history
          </Link>
        )}
      </>
    )
  }
  const { reference } = reversal
  const address = `/transactions/${encodeURIComponent(reference)}`
  return <Reference value={reference} name="Reversing transaction" href={address} short />
}
