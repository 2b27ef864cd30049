import { Suspense } from 'react'
import { queueFor } from '#lib/disputes/queue/queue-view.ts'
import { requireSession } from '#lib/session/current.ts'
import { PaneOutline, QueuePaneList } from './queue-pane-list.tsx'

interface QueuePaneProps {
  /** The case that is open beside it. */
  currentCaseId: string
}

/** The open cases, narrow, beside the one that is being worked on. It waits for nothing, and nothing waits for it. */
export const QueuePane = ({ currentCaseId }: QueuePaneProps) => (
  <Suspense fallback={<PaneOutline />}>
    <OpenCases currentCaseId={currentCaseId} />
  </Suspense>
)

async function OpenCases({ currentCaseId }: QueuePaneProps) {
  const session = await requireSession()
  return <QueuePaneList initial={await queueFor(session, 'OPEN')} currentCaseId={currentCaseId} />
}
