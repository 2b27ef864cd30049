import 'server-only'
import { z } from 'zod'
import type { RecordKind } from '#lib/commands/kind.ts'
import { faultsOf } from '#lib/commands/kind.ts'
import {
  ifStill,
  ownSnippetAct,
  readSnippet,
  type SnippetFacts,
  snippetFacts,
  snippetId,
  snippetLine,
  unlessAsSeen,
  unlessFree,
} from './own-snippet-act.ts'
import { markSnippet } from './snippet-table.ts'

const removing = z.strictObject({ id: snippetId, changedAt: z.string() })
const restoring = z.strictObject({ id: snippetId })

export const snippetRemove: RecordKind<z.output<typeof removing>, SnippetFacts> = {
  ...ownSnippetAct,
  kind: 'snippet.remove',
  params: removing,
  checkParams: () => ({}),
  readFacts: (session, { id }) => readSnippet(session, id, null),
  checkFacts: ({ changedAt }, facts) => unlessAsSeen(changedAt, facts),
  title: (_params, { name }) => `Remove the snippet “${name}”`,
  summary: (_params, { name }) => [snippetLine(name)],
  consequence: () => 'Nobody has it any more, until it is put back.',
  send: async (_session, { id, changedAt }) => ifStill(unlessAsSeen(changedAt, await snippetFacts(id, null))),
  describeSuccess: (_params, { name }) => ({ steps: [], lines: [snippetLine(name)] }),
  onSettled: (trx, { actor, actorName, params: { id } }) =>
    markSnippet(trx, id, { removed_at: new Date().toISOString(), changed_by: actor, changed_by_name: actorName }),
}

const unlessRemoved = ({ removed }: SnippetFacts) => faultsOf({ id: removed === '' ? 'It is not removed.' : null })

export const snippetRestore: RecordKind<z.output<typeof restoring>, SnippetFacts> = {
  ...ownSnippetAct,
  kind: 'snippet.restore',
  params: restoring,
  checkParams: () => ({}),
  readFacts: (session, { id }) => readSnippet(session, id, null),
  checkFacts: (_params, facts) => ({ ...unlessRemoved(facts), ...unlessFree(facts) }),
  title: (_params, { name }) => `Put the snippet “${name}” back`,
  summary: (_params, { name }) => [snippetLine(name)],
  consequence: () => 'Everybody who works on cases has it again.',
  async send(_session, { id }) {
    const facts = await snippetFacts(id, null)
    return ifStill({ ...unlessRemoved(facts), ...unlessFree(facts) })
  },
  describeSuccess: (_params, { name }) => ({ steps: [], lines: [snippetLine(name)] }),
  onSettled: (trx, { actor, actorName, params: { id } }) =>
    markSnippet(trx, id, { removed_at: null, changed_by: actor, changed_by_name: actorName }),
}
