import 'server-only'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { refusalProblem, refusedFrom } from '#lib/authorization/judge.ts'
import type { Line } from '#lib/commands/command.ts'
import {
  type ConsoleRefusal,
  type FieldFaults,
  faultsOf,
  type RecordCommand,
  recordCommand,
} from '#lib/commands/kind.ts'
import type { Result } from '#lib/service/answer.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { timeInText } from '#lib/values/time.ts'
import { SNIPPETS_MAX, snippetNameFault, snippetTextFault } from './snippet.ts'
import { findSnippet, markSnippet, othersThan, putSnippet } from './snippet-table.ts'

/** The browser creates the id of a new snippet. */
const snippetId = z.guid().toLowerCase()

/** `nameTaken` and `full`: empty if not. */
type SnippetFacts = Readonly<Record<'name' | 'changedAt' | 'changedBy' | 'removed' | 'nameTaken' | 'full', string>>

/** `name`: the intended name; null for the present one. */
async function snippetFacts(db: Kysely<Tables>, id: string, name: string | null): Promise<SnippetFacts> {
  const found = await findSnippet(db, id)
  const others = await othersThan(db, id, name ?? found?.name ?? '')
  return {
    name: found?.name ?? '',
    changedAt: found?.changedAt ?? '',
    changedBy: found?.changedBy ?? '',
    removed: found?.removed ? 'yes' : '',
    nameTaken: others.named ? 'yes' : '',
    full: others.count >= SNIPPETS_MAX ? 'yes' : '',
  }
}

async function readSnippet(session: Session, id: string, name: string | null): Promise<Result<SnippetFacts>> {
  const refusal = await refusedFrom(session, 'snippets.write')
  if (refusal !== null) return { ok: false, problem: refusalProblem(refusal) }
  return { ok: true, value: await snippetFacts(await store(), id, name), serviceTime: null }
}

/** `changedAt`: as the person saw it; empty for a new one. */
const unlessAsSeen = (changedAt: string, facts: SnippetFacts): FieldFaults =>
  faultsOf({ id: facts.changedAt === changedAt && facts.removed === '' ? null : movedWords(facts) })

const movedWords = ({ name, changedAt, changedBy, removed }: SnippetFacts): string =>
  changedAt === ''
    ? 'Snippet not found.'
    : `${changedBy} ${removed === '' ? 'changed' : 'removed'} “${name}” at ${timeInText(changedAt)}. Check it again.`

function unlessFree({ nameTaken, full }: SnippetFacts): FieldFaults {
  if (nameTaken !== '') return { name: 'Another snippet has this name. Choose a different name.' }
  return full === '' ? {} : { name: `There are ${SNIPPETS_MAX} snippets. Remove one first.` }
}

/** The facts are checked again under the lock. */
const refusalOf = (faults: FieldFaults): ConsoleRefusal | null => {
  const [title] = Object.values(faults)
  return title === undefined ? null : { title, advice: 'Nothing was changed. Someone else changed it first.' }
}

const snippetLine = (name: string): Line => ({ label: 'Snippet', value: name, as: 'text' })

/** Changes are rare, so one lock covers all snippets. */
const snippetRecord = {
  place: () => ({ href: '/disputes/snippets', words: 'Open the snippets' }),
  immediate: true,
  target: (params: { readonly id: string }) => params.id,
  locks: () => [{ key: 'snippets', permanent: false }],
  describeLockConflict: () => ({ field: 'id', what: 'Someone is changing the snippets' }),
  affectedBy: ['snippet.save', 'snippet.remove', 'snippet.restore'],
  factLines: ({ name, changedBy }: SnippetFacts) => [
    snippetLine(name === '' ? 'none' : name),
    { label: 'Changed by', value: changedBy === '' ? 'none' : changedBy, as: 'text' },
  ],
} as const satisfies Partial<RecordCommand<{ readonly id: string }, SnippetFacts>>

/** `changedAt`: as the person saw it; empty for a new one. */
const saving = z.strictObject({
  id: snippetId,
  name: z.string().trim(),
  text: z.string().trim(),
  changedAt: z.string(),
})

export const snippetSave = recordCommand<z.output<typeof saving>, SnippetFacts>({
  ...snippetRecord,
  kind: 'snippet.save',
  params: saving,
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

/** Changes of a snippet that exists, under its present name. */
const presentSnippet = {
  ...snippetRecord,
  readFacts: (session: Session, { id }: { readonly id: string }) => readSnippet(session, id, null),
  summary: (_params: unknown, { name }: SnippetFacts) => [snippetLine(name)],
  describeSuccess: (_params: unknown, { name }: SnippetFacts) => ({ steps: [], lines: [snippetLine(name)] }),
} as const

const removing = z.strictObject({ id: snippetId, changedAt: z.string() })
const restoring = z.strictObject({ id: snippetId })

export const snippetRemove = recordCommand<z.output<typeof removing>, SnippetFacts>({
  ...presentSnippet,
  kind: 'snippet.remove',
  params: removing,
  checkFacts: ({ changedAt }, facts) => unlessAsSeen(changedAt, facts),
  title: (_params, { name }) => `Remove the snippet “${name}”`,
  consequence: () => 'Removed for everyone until restored.',
  checkUnderLock: async (trx, { params: { id, changedAt } }) =>
    refusalOf(unlessAsSeen(changedAt, await snippetFacts(trx, id, null))),
  record: (trx, { actor, actorName, params: { id } }) =>
    markSnippet(trx, id, { removed_at: new Date().toISOString(), changed_by: actor, changed_by_name: actorName }),
})

const unlessRemoved = ({ removed }: SnippetFacts) => faultsOf({ id: removed === '' ? 'It is not removed.' : null })

export const snippetRestore = recordCommand<z.output<typeof restoring>, SnippetFacts>({
  ...presentSnippet,
  kind: 'snippet.restore',
  params: restoring,
  checkFacts: (_params, facts) => ({ ...unlessRemoved(facts), ...unlessFree(facts) }),
  title: (_params, { name }) => `Restore the snippet “${name}”`,
  consequence: () => 'Available again to everyone who works on cases.',
  async checkUnderLock(trx, { params: { id } }) {
    const facts = await snippetFacts(trx, id, null)
    return refusalOf({ ...unlessRemoved(facts), ...unlessFree(facts) })
  },
  record: (trx, { actor, actorName, params: { id } }) =>
    markSnippet(trx, id, { removed_at: null, changed_by: actor, changed_by_name: actorName }),
})
