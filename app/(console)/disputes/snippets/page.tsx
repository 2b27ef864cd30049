import { SharedList } from '#components/disputes/shared-list.tsx'
import { PageHead } from '#components/frame/page-head.tsx'
import { permits } from '#lib/authorization/judge.ts'
import { listSnippets } from '#lib/disputes/snippets/snippet-kinds.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { accessPage } from '../../page-reads.tsx'

const head = {
  title: 'Snippets',
  lead: 'Shared replies for messages, notes and reasons. Type / in these fields to insert one.',
}

export default accessPage({ head, panel: 'Snippets', entry: 'snippets.read', read: readSnippets })

async function readSnippets(session: Session) {
  return (
    <>
      <PageHead {...head} />
      <SharedList
        of="snippets"
        entries={(await listSnippets(await store())).map((snippet) => ({ ...snippet, retired: false }))}
        mayChange={await permits(session, 'snippets.write')}
      />
    </>
  )
}
