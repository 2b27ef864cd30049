import 'server-only'
import { z } from 'zod'
import { faultsOf, recordCommand } from '#lib/commands/kind.ts'
import {
  readSnippet,
  refusalOf,
  type SnippetFacts,
  snippetFacts,
  snippetId,
  snippetLine,
  snippetRecord,
  unlessAsSeen,
  unlessFree,
} from './snippet-record.ts'
import { markSnippet } from './snippet-table.ts'

const removing = z.strictObject({ id: snippetId, changedAt: z.string() })
const restoring = z.strictObject({ id: snippetId })

export const snippetRemove = recordCommand<z.output<typeof removing>, SnippetFacts>({
  ...snippetRecord,
  kind: 'snippet.remove',
  params: removing,
  readFacts: (session, { id }) => readSnippet(session, id, null),
  checkFacts: ({ changedAt }, facts) => unlessAsSeen(changedAt, facts),
  title: (_params, { name }) => `Remove the snippet “${name}”`,
  summary: (_params, { name }) => [snippetLine(name)],
  consequence: () => 'Removed for everyone until restored.',
  checkUnderLock: async (trx, { params: { id, changedAt } }) =>
    refusalOf(unlessAsSeen(changedAt, await snippetFacts(trx, id, null))),
  describeSuccess: (_params, { name }) => ({ steps: [], lines: [snippetLine(name)] }),
  record: (trx, { actor, actorName, params: { id } }) =>
    markSnippet(trx, id, { removed_at: new Date().toISOString(), changed_by: actor, changed_by_name: actorName }),
})

const unlessRemoved = ({ removed }: SnippetFacts) => faultsOf({ id: removed === '' ? 'It is not removed.' : null })

export const snippetRestore = recordCommand<z.output<typeof restoring>, SnippetFacts>({
  ...snippetRecord,
  kind: 'snippet.restore',
  params: restoring,
  readFacts: (session, { id }) => readSnippet(session, id, null),
  checkFacts: (_params, facts) => ({ ...unlessRemoved(facts), ...unlessFree(facts) }),
  title: (_params, { name }) => `Restore the snippet “${name}”`,
  summary: (_params, { name }) => [snippetLine(name)],
  consequence: () => 'Available again to everyone who works on cases.',
  async checkUnderLock(trx, { params: { id } }) {
    const facts = await snippetFacts(trx, id, null)
    return refusalOf({ ...unlessRemoved(facts), ...unlessFree(facts) })
  },
  describeSuccess: (_params, { name }) => ({ steps: [], lines: [snippetLine(name)] }),
  record: (trx, { actor, actorName, params: { id } }) =>
    markSnippet(trx, id, { removed_at: null, changed_by: actor, changed_by_name: actorName }),
})
