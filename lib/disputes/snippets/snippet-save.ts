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
import { snippetNameFault, snippetTextFault } from './snippet.ts'
import { putSnippet } from './snippet-table.ts'

/** `changedAt`: as the person saw it; empty for a new one. */
const params = z.strictObject({
  id: snippetId,
  name: z.string().trim(),
  text: z.string().trim(),
  changedAt: z.string(),
})

type Params = z.output<typeof params>

export const snippetSave: RecordKind<Params, SnippetFacts> = {
  ...ownSnippetAct,
  kind: 'snippet.save',
  params,
  checkParams: ({ name, text }) => faultsOf({ name: snippetNameFault(name), text: snippetTextFault(text) }),
  readFacts: (session, { id, name }) => readSnippet(session, id, name),
  checkFacts: ({ changedAt }, facts) => ({ ...unlessAsSeen(changedAt, facts), ...unlessFree(facts) }),
  title: ({ name }, facts) => `${facts.name === '' ? 'Add' : 'Change'} the snippet “${name}”`,
  summary: ({ name, text }) => [snippetLine(name), { label: 'Text', value: text, as: 'text' }],
  consequence: () => 'Everybody who works on cases has it.',
  async send(_session, { id, name, changedAt }) {
    const facts = await snippetFacts(id, name)
    return ifStill({ ...unlessAsSeen(changedAt, facts), ...unlessFree(facts) })
  },
  describeSuccess: ({ name }) => ({ steps: [], lines: [snippetLine(name)] }),
  onSettled: (trx, { actor, actorName, params: { id, name, text } }) =>
    putSnippet(trx, {
      id,
      name,
      text,
      changed_by: actor,
      changed_by_name: actorName,
      changed_at: new Date().toISOString(),
    }),
}
