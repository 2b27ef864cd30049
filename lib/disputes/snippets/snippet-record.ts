import 'server-only'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { refusalProblem, refusedFrom } from '#lib/authorization/judge.ts'
import type { Line } from '#lib/commands/command.ts'
import { type ConsoleRefusal, type FieldFaults, faultsOf, type RecordCommand } from '#lib/commands/kind.ts'
import type { Result } from '#lib/service/answer.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { timeInText } from '#lib/values/time.ts'
import { SNIPPETS_MAX } from './snippet.ts'
import { findSnippet, othersThan } from './snippet-table.ts'

/** The browser creates the id of a new snippet. */
export const snippetId = z.guid().toLowerCase()

/** `nameTaken` and `full`: empty if not. */
export type SnippetFacts = Readonly<
  Record<'name' | 'changedAt' | 'changedBy' | 'removed' | 'nameTaken' | 'full', string>
>

/** `name`: the intended name; null for the present one. */
export async function snippetFacts(db: Kysely<Tables>, id: string, name: string | null): Promise<SnippetFacts> {
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

export async function readSnippet(session: Session, id: string, name: string | null): Promise<Result<SnippetFacts>> {
  const refusal = await refusedFrom(session, 'snippets.write')
  if (refusal !== null) return { ok: false, problem: refusalProblem(refusal) }
  return { ok: true, value: await snippetFacts(await store(), id, name), serviceTime: null }
}

/** `changedAt`: as the person saw it; empty for a new one. */
export const unlessAsSeen = (changedAt: string, facts: SnippetFacts): FieldFaults =>
  faultsOf({ id: facts.changedAt === changedAt && facts.removed === '' ? null : movedWords(facts) })

const movedWords = ({ name, changedAt, changedBy, removed }: SnippetFacts): string =>
  changedAt === ''
    ? 'Snippet not found.'
    : `${changedBy} ${removed === '' ? 'changed' : 'removed'} “${name}” at ${timeInText(changedAt)}. Check it again.`

export function unlessFree({ nameTaken, full }: SnippetFacts): FieldFaults {
  if (nameTaken !== '') return { name: 'Another snippet has this name. Choose a different name.' }
  return full === '' ? {} : { name: `There are ${SNIPPETS_MAX} snippets. Remove one first.` }
}

/** The facts are checked again under the lock. */
export const refusalOf = (faults: FieldFaults): ConsoleRefusal | null => {
  const [title] = Object.values(faults)
  return title === undefined ? null : { title, advice: 'Nothing was changed. Someone else changed it first.' }
}

export const snippetLine = (name: string): Line => ({ label: 'Snippet', value: name, as: 'text' })

/** Changes are rare, so one lock covers all snippets. */
export const snippetRecord = {
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
