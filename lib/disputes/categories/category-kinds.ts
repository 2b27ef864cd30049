import 'server-only'
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
import { CATEGORIES_MAX, CATEGORY_LINE, categoryNameFault } from './category.ts'

const list: NamedList = {
  table: 'case_category',
  ...{ label: CATEGORY_LINE, noun: 'category', plural: 'categories' },
  removal: { verb: 'Retire', past: 'retired' },
  keepsNames: true,
  most: CATEGORIES_MAX,
  write: 'categories.write',
  place: { href: '/disputes/categories', words: 'Open the categories' },
  kinds: ['category.save', 'category.retire', 'category.restore'],
}

const saving = z.strictObject(savedEntry)

type Saving = z.output<typeof saving>

export const categorySave = recordCommand<Saving, EntryFacts>({
  ...savingOf<Saving>(list),
  kind: 'category.save',
  params: saving,
  checkParams: ({ name }) => faultsOf({ name: categoryNameFault(name) }),
  summary: ({ name }, facts) => [
    ...(facts.name === '' || facts.name === name ? [] : [{ label: 'Before', value: facts.name, as: 'text' } as const]),
    nameLine(list, name),
  ],
  consequence: (_params, facts) =>
    facts.name === ''
      ? 'Every decision of a case in this console needs a category from then on.'
      : 'Cases that have it show the new name.',
  record: (trx, act) => putEntry(trx, list, act),
})

export const categoryRetire = recordCommand({
  ...removingOf(list),
  kind: 'category.retire',
  consequence: () => 'Not offered any more. Cases that have it keep it.',
})

export const categoryRestore = recordCommand({
  ...restoringOf(list),
  kind: 'category.restore',
  consequence: () => 'Offered again for decisions.',
})
