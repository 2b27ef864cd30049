import 'server-only'
import { z } from 'zod'
import { faultsOf, recordCommand } from '#lib/commands/kind.ts'
import { snippetNameFault, snippetTextFault } from './snippet.ts'
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
import { putSnippet } from './snippet-table.ts'

/** `changedAt`: as the person saw it; empty for a new one. */
const params = z.strictObject({
  id: snippetId,
  name: z.string().trim(),
  text: z.string().trim(),
  changedAt: z.string(),
})

type Params = z.output<typeof params>

export const snippetSave = recordCommand<Params, SnippetFacts>({
  ...snippetRecord,
  kind: 'snippet.save',
  params,
  checkParams: ({ name, text }) => faultsOf({ name: snippetNameFault(name), text: snippetTextFault(text) }),
  readFacts: (session, { id, name }) => readSnippet(session, id, name),
  checkFacts: ({ changedAt }, facts) => ({ ...unlessAsSeen(changedAt, facts), ...unlessFree(facts) }),
  title: ({ name }, facts) => `${facts.name === '' ? 'Add' : 'Change'} the snippet “${name}”`,
  summary: ({ name, text }) => [snippetLine(name), { label: 'Text', value: text, as: 'text' }],
  consequence: () => 'Available to everyone who works on cases.',
  async checkUnderLock(trx, { params: { id, name, changedAt } }) {
    const facts = await snippetFacts(trx, id, name)
    return refusalOf({ ...unlessAsSeen(changedAt, facts), ...unlessFree(facts) })
  },
  describeSuccess: ({ name }) => ({ steps: [], lines: [snippetLine(name)] }),
  record: (trx, { actor, actorName, params: { id, name, text } }) =>
    putSnippet(trx, {
      id,
      name,
      text,
      changed_by: actor,
      changed_by_name: actorName,
      changed_at: new Date().toISOString(),
    }),
})
