import Link from 'next/link'
import type { Ref } from 'react'
import { Check, ChevronDown } from '#components/ui/icons.tsx'
import { Fact, Facts, ReferenceFact, ServiceName, TimeFact } from '#components/values/facts.tsx'
import { Reference } from '#components/values/reference.tsx'
import type { CommandView } from '#lib/commands/command.ts'
import { isAmong, type KnownReversal } from '#lib/disputes/resolution.ts'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { Colleague } from './colleague.tsx'

interface ResolvedPanelProps {
  box: Ref<HTMLElement>
  found: ThreadCase
  reversal: KnownReversal
  /** The sender's id; null when the transaction cannot be read. */
  sender: string | null
  me: string | null
  /** The command that resolved it, if it was made in this console. */
  record: CommandView | null
  /** The operator's own decision was cancelled, because the case was resolved elsewhere. */
  isOvertaken: boolean
}

export function ResolvedPanel({ box, found, reversal, sender, me, record, isOvertaken }: ResolvedPanelProps) {
  const made = record?.outcome.class === 'done' ? record : null
  const { resolutionOutcome, resolutionReason, resolvedByUserId, resolvedAt } = found
  return (
    <section
      ref={box}
      tabIndex={-1}
      aria-label="Resolution"
      className="outline-offset-[-2px] max-h-[45%] overflow-y-auto border-t bg-good-wash/40"
    >
      <details open className="group">
        <summary className="flex cursor-pointer items-center gap-2 px-4 py-2 sm:px-6">
          <Check aria-hidden className="size-4 text-good" />
          <h2>Resolved. The thread is closed.</h2>
          <ChevronDown aria-hidden className="ml-auto size-4 group-open:rotate-180" />
        </summary>
        {isOvertaken ? (
          <p role="status" className="px-4 text-attention text-sm sm:px-6">
            The case was resolved elsewhere. Your own decision was cancelled.
          </p>
        ) : null}
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
              <By userId={resolvedByUserId} me={me} record={made} />
            )}
          </Fact>
          {resolvedAt === null ? null : <TimeFact label="When" value={resolvedAt} />}
          {made === null || made.traceId === null ? null : (
            <ReferenceFact label="Trace" value={made.traceId} name="Trace id" />
          )}
        </Facts>
        <p className="whitespace-pre-wrap px-4 pb-3 text-sm [overflow-wrap:anywhere] sm:px-6">
          <span className="text-muted-foreground">Reason: </span>
          {resolutionReason === null ? 'none given' : visibleText(resolutionReason)}
        </p>
      </details>
    </section>
  )
}

function By({ userId, me, record }: Pick<ResolvedPanelProps, 'me' | 'record'> & { userId: string }) {
  if (isAmong(me, [userId])) return 'you'
  return record === null ? <Colleague userId={userId} name="who resolved it" /> : visibleText(record.actorName)
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
  const { reference, matched = false } = reversal
  const address = `/transactions/${encodeURIComponent(reference)}`
  return (
    <>
      <Reference value={reference} name="Reversing transaction" href={address} short />
      {matched ? <span className="w-full text-muted-foreground text-xs">found by parties, amount and time</span> : null}
    </>
  )
}
