import { listSnippets } from '#lib/disputes/snippets/snippet-kinds.ts'
import { store } from '#lib/store/store.ts'
import { json, serveSession } from '../../answer.ts'

export const GET = (request: Request): Promise<Response> =>
  serveSession(request, async () => json({ ok: true, snippets: await listSnippets(await store()) }))
