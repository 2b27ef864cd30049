import { PageHead } from '#components/frame/page-head.tsx'
import { ButtonLink } from '#components/frame/panel.tsx'
import { refusedFrom } from '#lib/authorization/judge.ts'
import { requireSession } from '#lib/session/current.ts'
import type { Session } from '#lib/session/session.ts'
import { RefusedPanel } from '../../../access-notes.tsx'
import { RenderWithAccess, startRead } from '../../../page-reads.tsx'
import { RehearsePolicy } from './rehearse-policy.tsx'

const head = {
  title: 'Rehearse a policy',
  lead: 'What a policy file would have decided about the changes that were sent. Nothing is stored or changed.',
  action: (
    <ButtonLink href="/security/policy" variant="outline">
      Policy
    </ButtonLink>
  ),
}

export default async function RehearsalPage() {
  const session = await requireSession()
  const content = startRead(readPermitted(session))
  return <RenderWithAccess session={session} content={content} head={head} panel="Policy file" />
}

async function readPermitted(session: Session) {
  const refusal = await refusedFrom(session, 'policyRehearsal.read')
  return (
    <>
      <PageHead {...head} />
      {refusal === null ? <RehearsePolicy /> : <RefusedPanel refusal={refusal} />}
    </>
  )
}
