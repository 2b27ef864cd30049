import { headers } from 'next/headers'
import type { ReactNode } from 'react'
import { everyOpenCase, placesAround } from '#lib/disputes/queue/queue.ts'
import { queueFor } from '#lib/disputes/queue/queue-view.ts'
import { comingFacts } from '#lib/disputes/queue/transaction-facts.ts'
import { requireSession } from '#lib/session/current.ts'
import type { Session } from '#lib/session/session.ts'
import { CONSOLE_PATH_HEADER } from '#lib/session/sign-in/paths.ts'
import { RenderWithin, segmentId, startRead } from '../../page-reads.tsx'
import { claimOf, readPaneFilter } from './[caseId]/case-navigation.ts'
import { CaseDesk } from './desk.tsx'
import { PaneOutline, QueuePaneList } from './queue-pane-list.tsx'

/** Rendered once for all cases that are opened from it, so it takes the first case from the requested address. */
export default async function CaseLayout({ children }: { children: ReactNode }) {
  const session = await requireSession()
  const { pathname, searchParams } = new URL((await headers()).get(CONSOLE_PATH_HEADER) ?? '/', 'http://console')
  const caseId = segmentId(pathname.split('/').at(-1) ?? '')
  const queue = startRead(readQueuePane(session, caseId, String(searchParams.get('queue'))))
  return <CaseDesk queue={<RenderWithin content={queue} outline={<PaneOutline />} />}>{children}</CaseDesk>
}

async function readQueuePane(session: Session, caseId: string, whose: string) {
  const chosen = readPaneFilter(whose)
  const filter = { ...everyOpenCase, claim: claimOf(chosen) }
  const initial = await queueFor(session, filter, placesAround(caseId))
  const references = initial.rows.map(({ reference }) => reference)
  const facts = comingFacts(session, references)
  return <QueuePaneList initial={initial} facts={facts} initialFilter={chosen} initialCaseId={caseId} />
}
