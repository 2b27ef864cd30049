import { Suspense } from 'react'
import { everyOpenCase } from '#lib/disputes/queue/queue.ts'
import { queueFor } from '#lib/disputes/queue/queue-view.ts'
import { requireSession } from '#lib/session/current.ts'
import { PaneOutline, QueuePaneList } from './queue-pane-list.tsx'
import { claimOf, whoseIn } from './whose.ts'

interface QueuePaneProps {
  /** The case that is open beside it. */
  currentCaseId: string
  /** Whose cases, as the address says. */
  whose: string
}

/** The open cases around the one that is being worked on, narrow. It waits for nothing, and nothing waits for it. */
export const QueuePane = (props: QueuePaneProps) => (
  <Suspense fallback={<PaneOutline />}>
    <OpenCases {...props} />
  </Suspense>
)

async function OpenCases({ currentCaseId, whose }: QueuePaneProps) {
  const session = await requireSession()
  const chosen = whoseIn(whose)
  const asked = { ...everyOpenCase, claim: claimOf(chosen) }
  const initial = await queueFor(session, asked, { around: currentCaseId })
  return <QueuePaneList initial={initial} initialWhose={chosen} currentCaseId={currentCaseId} />
}
