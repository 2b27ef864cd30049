import Link from 'next/link'
import { type Ref, Suspense, use, useEffect, useEffectEvent, useState } from 'react'
import { QuietLink } from '#components/frame/panel.tsx'
import { askConsole, problemIn } from '#components/service/ask-console.ts'
import { ProblemPanel } from '#components/service/problem-panel.tsx'
import { Check, ChevronDown } from '#components/ui/icons.tsx'
import { Fact, Facts, ReferenceFact, ServiceName, TimeFact } from '#components/values/facts.tsx'
import { Money } from '#components/values/money.tsx'
import { Reference } from '#components/values/reference.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import type { CommandView } from '#lib/commands/command.ts'
import type { Problem } from '#lib/contract/problem.ts'
import {
  isAmong,
  type KnownReversal,
  knownCategory,
  type SimilarDecision,
  type SimilarDecisions,
} from '#lib/disputes/resolution.ts'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import { shortId } from '#lib/values/ids.ts'
import { visibleText } from '#lib/values/text.ts'
import { counted, formatCount } from '#lib/values/words.ts'
import { Colleague } from './thread-message.tsx'

interface ResolvedPanelProps {
  box: Ref<HTMLElement>
  found: ThreadCase
  reversal: KnownReversal | Promise<KnownReversal>
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
  const category = knownCategory(record)
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
        <Facts className="px-4 sm:px-6">
          <Fact label="Outcome">
            {resolutionOutcome === null ? (
              'not given by the service'
            ) : (
              <ServiceName of="resolutionOutcome" name={resolutionOutcome} />
            )}
          </Fact>
          {category === null ? null : (
            <Fact label="Category">
              <bdi className="min-w-0 break-words">{visibleText(category)}</bdi>
            </Fact>
          )}
          <Fact label="Reversing transaction">
            {reversal instanceof Promise ? (
              <Suspense fallback="Reading the sender’s history">
                <Reversal reversal={reversal} sender={sender} />
              </Suspense>
            ) : (
              <Reversal reversal={reversal} sender={sender} />
            )}
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

function Reversal({ reversal: known, sender }: Pick<ResolvedPanelProps, 'reversal' | 'sender'>) {
  const reversal = known instanceof Promise ? use(known) : known
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

type ReadSimilar =
  | { readonly kind: 'reading' }
  | { readonly kind: 'read'; readonly similar: SimilarDecisions }
  | { readonly kind: 'problem'; readonly problem: Problem }

export function SimilarList({ caseId }: { caseId: string }) {
  const [read, setRead] = useState<ReadSimilar>({ kind: 'reading' })
  const load = async () => {
    setRead({ kind: 'reading' })
    const answer = await askConsole(`/api/disputes/${encodeURIComponent(caseId)}/similar`)
    setRead(
      answer?.status === 200
        ? { kind: 'read', similar: (answer.body as { value: SimilarDecisions }).value }
        : { kind: 'problem', problem: problemIn(answer) },
    )
  }
  const loadOnce = useEffectEvent(load)
  useEffect(() => void loadOnce(), [])
  return (
    <div className="border-t text-sm">
      {read.kind === 'reading' ? (
        <p role="status" className="px-3.5 py-2.5 text-muted-foreground">
          Reading
        </p>
      ) : null}
      {read.kind === 'problem' ? <ProblemPanel problem={read.problem} onRetry={() => void load()} /> : null}
      {read.kind === 'read' ? <Decided {...read.similar} /> : null}
    </div>
  )
}

const Decided = ({ decisions, more, comparedMost }: SimilarDecisions) => (
  <>
    <p role="status" className="px-3.5 py-2.5">
      {decisions.length === 0
        ? 'No similar case was decided in this console.'
        : `${counted(decisions.length, 'similar decision')}.`}
      {more === 0 ? null : ` ${formatCount(more)} more exist.`}
    </p>
    <ul className="divide-y border-y empty:hidden">
      {decisions.map((decision) => (
        <DecidedCase key={decision.caseId} {...decision} />
      ))}
    </ul>
    <p className="px-3.5 py-2.5 text-muted-foreground text-xs">
      First cases between the same two parties, then reasons with more than half of this reason’s words, leaving out
      words of up to three letters; each newest first.{' '}
      {comparedMost === null ? null : `Compared with the newest ${formatCount(comparedMost)} decisions. `}
      Cases decided outside this console are not known here.
    </p>
  </>
)

const DecidedCase = ({ caseId, outcome, amount, reason, category, by, at, sameParties }: SimilarDecision) => (
  <li className="grid gap-1 px-3.5 py-2.5">
    <p className="flex flex-wrap items-center gap-x-3">
      <QuietLink href={`/disputes/${encodeURIComponent(caseId)}`} className="mono inline-flex min-h-6 items-center">
        {shortId(caseId)}
      </QuietLink>
      <strong className="font-[550]">{outcome}</strong>
      <span className="figures ml-auto">
        <Money amount={amount} />
      </span>
    </p>
    <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{visibleText(reason)}</p>
    <p className="text-muted-foreground text-xs [overflow-wrap:anywhere]">
      {category === null ? null : `Category: ${visibleText(category)}; `}
      {visibleText(by)}, <Timestamp value={at} as="past" />
      {sameParties ? ', same two parties' : null}
    </p>
  </li>
)
