import { PageHead } from '#components/frame/page-head.tsx'
import type { Session } from '#lib/session/session.ts'
import { visibleText } from '#lib/values/text.ts'
import { accessPage, hiddenChange } from '../../page-reads.tsx'
import { readRecord } from '../record.tsx'

const head = { title: 'Change', lead: 'Reading the change' }

export default accessPage({ head, panel: 'What was requested', entry: 'signed-in', read: readChange })

async function readChange(session: Session, _: URLSearchParams, { id }: { id: string }) {
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
