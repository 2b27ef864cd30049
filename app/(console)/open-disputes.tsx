import { Suspense } from 'react'
import { PanelOutline } from '#components/frame/panel-outline.tsx'
import { everyOpenCase } from '#lib/disputes/queue/queue.ts'
import { queueFor } from '#lib/disputes/queue/queue-view.ts'
import { comingFacts } from '#lib/disputes/queue/transaction-facts.ts'
import { may, readAccess } from '#lib/service/scopes.ts'
import { leaveForSignIn } from '#lib/session/current.ts'
import type { Session } from '#lib/session/session.ts'
import { DisputesByAge, OpenDisputesNotKnown } from './disputes/disputes-by-age.tsx'

const TITLE = 'Open disputes by age'
const OLDEST = 10

export async function OpenDisputes({ session }: { session: Session }) {
  if (!may(await readAccess(session), 'core:disputes:read')) return null
  return (
    <Suspense fallback={<PanelOutline title={TITLE} lines={4} />}>
      <Disputes session={session} />
    </Suspense>
  )
}

async function Disputes({ session }: { session: Session }) {
  const view = await queueFor(session, everyOpenCase, { page: 1, size: OLDEST })
  const { problem, completeAt } = view.index
  if (problem?.kind === 'session-over') return await leaveForSignIn()
  if (completeAt === null) return <OpenDisputesNotKnown title={TITLE} view={view} />
  // An operator without dispute cases gets no panel.
  if (view.listed === 0 && view.adminView !== 'proved') return null
  const facts = comingFacts(
    session,
    view.rows.map(({ reference }) => reference),
  )
  return <DisputesByAge title={TITLE} view={view} facts={facts} />
}
