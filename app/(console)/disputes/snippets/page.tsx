import { SharedList } from '#components/disputes/shared-list.tsx'
import { PageHead } from '#components/frame/page-head.tsx'
import { permits, refusedFrom } from '#lib/authorization/judge.ts'
import { listSnippets } from '#lib/disputes/snippets/snippet-kinds.ts'
import { requireSession } from '#lib/session/current.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { RefusedPanel } from '../../access-notes.tsx'
import { RenderWithAccess, startRead } from '../../page-reads.tsx'

export default async function SnippetsPage() {
  const session = await requireSession()
  return <RenderWithAccess session={session} content={startRead(readSnippets(session))} head={head} panel="Snippets" />
}

const head = {
  title: 'Snippets',
  lead: 'Shared replies for messages, notes and reasons. Type / in these fields to insert one.',
}

async function readSnippets(session: Session) {
  const refusal = await refusedFrom(session, 'snippets.read')
  return (
    <>
      <PageHead {...head} />
      {refusal === null ? (
        <SharedList
          of="snippets"
          entries={(await listSnippets(await store())).map((snippet) => ({ ...snippet, retired: false }))}
          mayChange={await permits(session, 'snippets.write')}
        />
      ) : (
        <RefusedPanel refusal={refusal} />
      )}
    </>
  )
}
