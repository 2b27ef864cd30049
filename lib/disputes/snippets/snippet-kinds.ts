import 'server-only'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { faultsOf, recordCommand } from '#lib/commands/kind.ts'
import {
  type EntryFacts,
  type NamedList,
  nameLine,
  putEntry,
  removingOf,
  restoringOf,
  savedEntry,
  savingOf,
} from '#lib/disputes/named-list.ts'
import type { Tables } from '#lib/store/tables.ts'
import { SNIPPETS_MAX, type Snippet, snippetNameFault, snippetTextFault } from './snippet.ts'

const list: NamedList = {
  table: 'snippet',
  ...{ label: 'Snippet', noun: 'snippet', plural: 'snippets' },
  removal: { verb: 'Remove', past: 'removed' },
  keepsNames: false,
  most: SNIPPETS_MAX,
  write: 'snippets.write',
  place: { href: '/disputes/snippets', words: 'Open the snippets' },
  kinds: ['snippet.save', 'snippet.remove', 'snippet.restore'],
}

const saving = z.strictObject({ ...savedEntry, text: z.string().trim() })

type Saving = z.output<typeof saving>

export const snippetSave = recordCommand<Saving, EntryFacts>({
  ...savingOf<Saving>(list),
  kind: 'snippet.save',
  params: saving,
  checkParams: ({ name, text }) => faultsOf({ name: snippetNameFault(name), text: snippetTextFault(text) }),
  summary: ({ name, text }) => [nameLine(list, name), { label: 'Text', value: text, as: 'text' }],
  consequence: () => 'Available to everyone who works on cases.',
  record: (trx, act) => putEntry(trx, list, act, { text: act.params.text }),
})

export const snippetRemove = recordCommand({
  ...removingOf(list),
  kind: 'snippet.remove',
  consequence: () => 'Removed for everyone until restored.',
})

export const snippetRestore = recordCommand({
  ...restoringOf(list),
  kind: 'snippet.restore',
  consequence: () => 'Available again to everyone who works on cases.',
})

export async function listSnippets(db: Kysely<Tables>): Promise<readonly Snippet[]> {
  const rows = await db.selectFrom('snippet').selectAll().where('removed_at', 'is', null).orderBy('name_key').execute()
  return rows.map(({ id, name, text, changed_by_name: changedBy, changed_at: changedAt }) => ({
    id,
    name,
    text,
    changedBy,
    changedAt,
  }))
}
