import { Suspense } from 'react'
import type { DisputeCase } from '#lib/contract/disputes.ts'
import { recordCase } from '#lib/disputes/queue/case-index.ts'
import { everyOpenCase } from '#lib/disputes/queue/queue.ts'
import { queueFor } from '#lib/disputes/queue/queue-view.ts'
import { comingFacts } from '#lib/disputes/queue/transaction-facts.ts'
import { requireSession } from '#lib/session/current.ts'
import { PaneOutline, QueuePaneList } from './queue-pane-list.tsx'
import { claimOf, whoseIn } from './whose.ts'

interface QueuePaneProps {
  /** The open case, as it was just read. */
  current: DisputeCase
  /** ISO 8601: when `current` was read. */
  readAt: string
  whose: string
}

/** Rendered in its own suspense boundary, so that neither the case nor the list waits for the other. */
export const QueuePane = (props: QueuePaneProps) => (
  <Suspense fallback={<PaneOutline />}>
    <OpenCases {...props} />
  </Suspense>
)

async function OpenCases({ current, readAt, whose }: QueuePaneProps) {
  const session = await requireSession()
  // The case was read after the index, so it is written to the index first. Only this list waits for that write.
  await recordCase(current, readAt)
  const chosen = whoseIn(whose)
  const asked = { ...everyOpenCase, claim: claimOf(chosen) }
  const initial = await queueFor(session, asked, { around: current.id })
  const facts = comingFacts(
    session,
    initial.rows.map(({ reference }) => reference),
  )
  return <QueuePaneList initial={initial} facts={facts} initialWhose={chosen} currentCaseId={current.id} />
}
