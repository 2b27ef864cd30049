'use client'

import { RetryButton } from '#components/service/retry-button.tsx'
import { StateBadge } from '#components/values/state-badge.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import type { IndexState, QueueRow } from '#lib/disputes/queue/queue.ts'
import { indexWords } from '#lib/disputes/queue/words.ts'
import { visibleText } from '#lib/values/text.ts'
import { Fact, Pending } from './facts-of-cases.tsx'

export function Assignee({ claim }: Pick<QueueRow, 'claim'>) {
  if (claim === 'hidden') return <span className="text-muted-foreground">–</span>
  if (claim === null) return <span className="text-muted-foreground">Unassigned</span>
  const snoozed = <SnoozedWords claim={claim} />
  if (claim.mine) {
    return (
      <span>
        <span className="font-semibold">you</span>
        {snoozed}
      </span>
    )
  }
  const name = visibleText(claim.name)
  return (
    <span>
      <bdi data-assignee className="inline-block max-w-[20ch] truncate align-middle" title={name}>
        {name}
      </bdi>
      {snoozed}
    </span>
  )
}

function SnoozedWords({ claim }: Pick<QueueRow, 'claim'>) {
  if (claim === null || claim === 'hidden' || claim.snoozed === undefined) return null
  const { until } = claim.snoozed
  return (
    <span className="text-muted-foreground text-xs">
      , snoozed <span data-until>until {until === null ? 'a party writes' : <Timestamp value={until} />}</span>
    </span>
  )
}

/** Shown in place of a count or list that needs a complete read of all cases. */
export const CasesNotKnown = ({ index, what }: { index: IndexState; what: string }) => (
  <div role="status" className="grid justify-items-start gap-2 text-sm">
    <p>
      <strong className="block font-semibold">{what} is not known</strong>
      <span className="text-secondary-foreground">{indexWords(index)}</span>
    </p>
    <RetryButton />
  </div>
)

/** Shows a dash when the amount cell already explains why the transaction is unknown. */
export const FactState = ({ reference }: { reference: string }) => (
  <Fact key={reference} reference={reference}>
    {(fact) => {
      if (fact === undefined) return <Pending width="w-22" />
      return fact.kind === 'read' ? <StateBadge state={fact.state} /> : <span className="text-muted-foreground">–</span>
    }}
  </Fact>
)
