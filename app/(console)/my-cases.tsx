import { Suspense } from 'react'
import { PanelOutline } from '#components/frame/panel-outline.tsx'
import { refusedFrom } from '#lib/authorization/judge.ts'
import { ownCasesSoon } from '#lib/disputes/unread/own-cases-of.ts'
import type { Session } from '#lib/session/session.ts'
import { MyCasesPanel, TITLE } from './my-cases-panel.tsx'

/** What is not known after so long comes by itself. */
const WITHIN_MS = 2_000

/** The cases of which the person is the assignee, for those who work on cases. The rest of Home does not wait for them. */
export async function MyCases({ session }: { session: Session }) {
  const refusal = await refusedFrom(session, 'caseWorkspace.read')
  if (refusal?.known) return null
  return (
    <Suspense fallback={<PanelOutline title={TITLE} lines={3} />}>
      <Cases session={session} />
    </Suspense>
  )
}

async function Cases({ session }: { session: Session }) {
  return <MyCasesPanel initial={(await ownCasesSoon(session, WITHIN_MS)) ?? null} />
}
