import { PageHead } from '#components/frame/page-head.tsx'
import { requireSession } from '#lib/session/current.ts'
import type { Session } from '#lib/session/session.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { hiddenChange, RenderWithAccess, startRead } from '../../page-reads.tsx'
import { readRecord } from '../record.tsx'

export default async function ChangePage({ params }: { params: Promise<{ id: string }> }) {
  const session = await requireSession()
  const content = startRead(readChange(session, (await params).id))
  return <RenderWithAccess session={session} content={content} head={READING} panel="What was requested" />
}

const READING = { title: 'Change', lead: 'Reading the change' }

async function readChange(session: Session, id: string) {
  const record = await readRecord(session, id)
  if (record === null) return await hiddenChange(session)
  const { heading, title, place, request, events } = record
  return (
    <>
      <PageHead title={visibleText(title)} lead={heading} action={place} />
      {events === null ? (
        request
      ) : (
        <div className="grid items-start gap-4 wide:grid-cols-2">
          {request}
          {events}
        </div>
      )}
    </>
  )
}
