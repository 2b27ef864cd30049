import { Suspense } from 'react'
import { Panel, PanelOutline } from '#components/frame/panel.tsx'
import { ProblemPanel } from '#components/service/problem-panel.tsx'
import { requireSession } from '#lib/session/current.ts'
import type { Session } from '#lib/session/session.ts'
import { readUserAccess } from '#lib/users/user-service.ts'
import { userIdFault } from '#lib/values/user-id.ts'
import { readOrSignIn, segmentId } from '../../../page-reads.tsx'
import { AccessPanels } from './access-panels.tsx'

export default async function UserAccessPage({ params }: { params: Promise<{ id: string }> }) {
  const session = await requireSession()
  const id = segmentId((await params).id)
  // The layout reports an invalid id.
  if (userIdFault(id) !== null) return null
  return (
    <Suspense fallback={<PanelOutline title="Scopes" lines={8} />}>
      <Access session={session} id={id} />
    </Suspense>
  )
}

async function Access({ session, id }: { session: Session; id: string }) {
  const result = await readOrSignIn(readUserAccess(session, id))
  if (result.ok) return <AccessPanels access={result.value} />
  return (
    <Panel title="Access">
      <ProblemPanel problem={result.problem} />
    </Panel>
  )
}
