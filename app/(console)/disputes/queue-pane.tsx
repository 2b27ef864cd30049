import { Suspense } from 'react'
import type { DisputeCase } from '#lib/contract/disputes.ts'
import { noteCase } from '#lib/disputes/queue/note-cases.ts'
import { everyOpenCase } from '#lib/disputes/queue/queue.ts'
import { queueFor } from '#lib/disputes/queue/queue-view.ts'
import { comingFacts } from '#lib/disputes/queue/transaction-facts.ts'
import { requireSession } from '#lib/session/current.ts'
import { PaneOutline, QueuePaneList } from './queue-pane-list.tsx'
import { claimOf, whoseIn } from './whose.ts'

interface QueuePaneProps {
  /** The case that is open beside it, as it was just read. */
  current: DisputeCase
  /** ISO 8601: when that was. */
  readAt: string
  /** Whose cases, as the address says. */
  whose: string
}

/** The open cases around the one that is being worked on, narrow. It waits for nothing, and nothing waits for it. */
export const QueuePane = (props: QueuePaneProps) => (
  <Suspense fallback={<PaneOutline />}>
    <OpenCases {...props} />
  </Suspense>
)

async function OpenCases({ current, readAt, whose }: QueuePaneProps) {
  const session = await requireSession()
  // It is newer than the index. Only this list waits for it to be written down: the case itself has been answered by then.
  await noteCase(current, readAt)
  const chosen = whoseIn(whose)
  const asked = { ...everyOpenCase, claim: claimOf(chosen) }
  const initial = await queueFor(session, asked, { around: current.id })
  const facts = comingFacts(
    session,
    initial.rows.map(({ reference }) => reference),
  )
  return <QueuePaneList initial={initial} facts={facts} initialWhose={chosen} currentCaseId={current.id} />
}
