import { PageHead } from '#components/frame/page-head.tsx'
import { permits } from '#lib/authorization/judge.ts'
import { requireAccess } from '#lib/authorization/require-access.ts'
import { listSnippets } from '#lib/disputes/snippets/snippet-table.ts'
import { store } from '#lib/store/store.ts'
import { RefusedPanel } from '../../access-notes.tsx'
import { SharedSnippets } from './shared-snippets.tsx'

export default async function SnippetsPage() {
  const { session, refusal } = await requireAccess('snippets.read')
  return (
    <>
      <PageHead
        title="Snippets"
        lead="Shared replies for messages, notes and reasons. Type / in these fields to insert one."
      />
      {refusal === null ? (
        <SharedSnippets
          snippets={await listSnippets(await store())}
          mayChange={await permits(session, 'snippets.write')}
        />
      ) : (
        <RefusedPanel refusal={refusal} />
      )}
    </>
  )
}
