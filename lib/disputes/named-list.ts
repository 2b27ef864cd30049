import 'server-only'
import type { Insertable, Kysely } from 'kysely'
import { z } from 'zod'
import { refusalProblem, refusedFrom } from '#lib/authorization/judge.ts'
import type { ThingEntry } from '#lib/authorization/routes.ts'
import type { Line, Place } from '#lib/commands/command.ts'
import { type ConsoleRefusal, type FieldFaults, faultsOf, type RecordCommand } from '#lib/commands/kind.ts'
import type { Result } from '#lib/service/client.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { timeInText } from '#lib/values/time.ts'
import { type NamedEntry, nameKey } from './snippets/snippet.ts'

/** A list that a team shares, with one entry of a name. */
export interface NamedList {
  readonly table: 'snippet' | 'case_category'
  readonly label: string
  readonly noun: string
  readonly plural: string
  readonly removal: { readonly verb: 'Remove' | 'Retire'; readonly past: 'removed' | 'retired' }
  /** A removed entry may be restored later, so no other takes its name. */
  readonly keepsNames: boolean
  readonly most: number
  readonly write: ThingEntry
  readonly place: Place
  readonly kinds: readonly RecordCommand<unknown, EntryFacts>['kind'][]
}

/** Both tables have these columns. */
const tableOf = ({ table }: Pick<NamedList, 'table'>) => table as 'case_category'

/** Includes removed entries. */
export async function findEntry(
  db: Kysely<Tables>,
  list: Pick<NamedList, 'table'>,
  id: string,
): Promise<(Omit<NamedEntry, 'id'> & { readonly removed: boolean }) | null> {
  const row = await db.selectFrom(tableOf(list)).selectAll().where('id', '=', id).executeTakeFirst()
  if (row === undefined) return null
  const { name, changed_at: changedAt, changed_by_name: changedBy, removed_at } = row
  return { name, changedAt, changedBy, removed: removed_at !== null }
}

/** `nameTaken`: by whom; it and `full` are empty if not. */
export type EntryFacts = Readonly<Record<'name' | 'changedAt' | 'changedBy' | 'removed' | 'nameTaken' | 'full', string>>

/** `name`: the intended name; null for the present one. */
async function entryFacts(db: Kysely<Tables>, list: NamedList, id: string, name: string | null): Promise<EntryFacts> {
  const found = await findEntry(db, list, id)
  const others = await db
    .selectFrom(tableOf(list))
    .select(['name_key', 'removed_at'])
    .where('id', '<>', id)
    .$if(!list.keepsNames, (query) => query.where('removed_at', 'is', null))
    .execute()
  const namesake = others.find((other) => other.name_key === nameKey(name ?? found?.name ?? ''))
  return {
    name: found?.name ?? '',
    changedAt: found?.changedAt ?? '',
    changedBy: found?.changedBy ?? '',
    removed: found?.removed ? 'yes' : '',
    nameTaken: namesake === undefined ? '' : takenBy(list, namesake.removed_at),
    full: others.filter(({ removed_at }) => removed_at === null).length >= list.most ? 'yes' : '',
  }
}

const takenBy = ({ removal }: NamedList, removedAt: string | null): string =>
  removedAt === null ? 'yes' : removal.past

async function readEntry(
  session: Session,
  list: NamedList,
  id: string,
  name: string | null,
): Promise<Result<EntryFacts>> {
  const refusal = await refusedFrom(session, list.write)
  if (refusal !== null) return { ok: false, problem: refusalProblem(refusal) }
  return { ok: true, value: await entryFacts(await store(), list, id, name), serviceTime: null }
}

/** `changedAt`: as the person saw it; empty for a new one. */
const unlessAsSeen = (list: NamedList, changedAt: string, facts: EntryFacts): FieldFaults =>
  faultsOf({ id: facts.changedAt === changedAt && facts.removed === '' ? null : movedWords(list, facts) })

const movedWords = ({ label, removal }: NamedList, { name, changedAt, changedBy, removed }: EntryFacts): string =>
  changedAt === ''
    ? `${label} not found.`
    : `${changedBy} ${removed === '' ? 'changed' : removal.past} “${name}” at ${timeInText(changedAt)}. Check it again.`

function unlessFree({ noun, plural, most, removal }: NamedList, { nameTaken, full }: EntryFacts): FieldFaults {
  if (nameTaken === removal.past) return { name: `A ${removal.past} ${noun} has this name. Restore it instead.` }
  if (nameTaken !== '') return { name: `Another ${noun} has this name. Choose a different name.` }
  return full === '' ? {} : { name: `There are ${most} ${plural}. ${removal.verb} one first.` }
}

/** The facts are checked again under the lock. */
const refusalOf = (faults: FieldFaults): ConsoleRefusal | null => {
  const [title] = Object.values(faults)
  return title === undefined ? null : { title, advice: 'Nothing was changed. Someone else changed it first.' }
}

/** The browser creates the id of a new entry. */
const entryId = z.guid().toLowerCase()

/** `changedAt`: as the person saw it; empty for a new one. */
export const savedEntry = { id: entryId, name: z.string().trim(), changedAt: z.string() }

type SavedEntry = Pick<NamedEntry, 'id' | 'name' | 'changedAt'>

/** Changes are rare, so one lock covers a whole list. */
function recordOf(list: NamedList) {
  const { plural, place, kinds } = list
  return {
    place: () => place,
    immediate: true,
    target: (params: { readonly id: string }) => params.id,
    locks: () => [{ key: plural, permanent: false }],
    describeLockConflict: () => ({ field: 'id', what: `Someone is changing the ${plural}` }),
    affectedBy: kinds,
    factLines: ({ name, changedBy }: EntryFacts) => [
      nameLine(list, name === '' ? 'none' : name),
      { label: 'Changed by', value: changedBy === '' ? 'none' : changedBy, as: 'text' },
    ],
  } as const satisfies Partial<RecordCommand<{ readonly id: string }, EntryFacts>>
}

export const nameLine = ({ label }: NamedList, name: string): Line => ({ label, value: name, as: 'text' })

export const savingOf = <Saved extends SavedEntry>(list: NamedList) =>
  ({
    ...recordOf(list),
    readFacts: (session: Session, { id, name }: Saved) => readEntry(session, list, id, name),
    checkFacts: ({ changedAt }: Saved, facts: EntryFacts) => ({
      ...unlessAsSeen(list, changedAt, facts),
      ...unlessFree(list, facts),
    }),
    title: ({ name }: Saved, facts: EntryFacts) => `${facts.name === '' ? 'Add' : 'Change'} the ${list.noun} “${name}”`,
    async checkUnderLock(trx: Trx, { params: { id, name, changedAt } }: { readonly params: Saved }) {
      const facts = await entryFacts(trx, list, id, name)
      return refusalOf({ ...unlessAsSeen(list, changedAt, facts), ...unlessFree(list, facts) })
    },
    describeSuccess: ({ name }: Saved) => ({ steps: [], lines: [nameLine(list, name)] }),
  }) as const

/** Changes of an entry that exists, under its present name. */
const presentOf = (list: NamedList) =>
  ({
    ...recordOf(list),
    readFacts: (session: Session, { id }: { readonly id: string }) => readEntry(session, list, id, null),
    summary: (_params: unknown, { name }: EntryFacts) => [nameLine(list, name)],
    describeSuccess: (_params: unknown, { name }: EntryFacts) => ({ steps: [], lines: [nameLine(list, name)] }),
  }) as const

const removing = z.strictObject({ id: entryId, changedAt: z.string() })
const restoring = z.strictObject({ id: entryId })

type Removing = z.output<typeof removing>
type EntryCommand<Params> = Omit<RecordCommand<Params, EntryFacts>, 'kind' | 'consequence'>

export const removingOf = (list: NamedList): EntryCommand<Removing> => ({
  ...presentOf(list),
  params: removing,
  checkFacts: ({ changedAt }, facts) => unlessAsSeen(list, changedAt, facts),
  title: (_params, { name }) => `${list.removal.verb} the ${list.noun} “${name}”`,
  checkUnderLock: async (trx, { params: { id, changedAt } }) =>
    refusalOf(unlessAsSeen(list, changedAt, await entryFacts(trx, list, id, null))),
  record: (trx, act) => markEntry(trx, list, act, new Date().toISOString()),
})

export function restoringOf(list: NamedList): EntryCommand<z.output<typeof restoring>> {
  const unlessRemoved = ({ removed }: EntryFacts) =>
    faultsOf({ id: removed === '' ? `It is not ${list.removal.past}.` : null })
  return {
    ...presentOf(list),
    params: restoring,
    checkFacts: (_params, facts) => ({ ...unlessRemoved(facts), ...unlessFree(list, facts) }),
    title: (_params, { name }) => `Restore the ${list.noun} “${name}”`,
    async checkUnderLock(trx, { params: { id } }) {
      const facts = await entryFacts(trx, list, id, null)
      return refusalOf({ ...unlessRemoved(facts), ...unlessFree(list, facts) })
    },
    record: (trx, act) => markEntry(trx, list, act, null),
  }
}

interface EntryAct {
  readonly actor: string
  readonly actorName: string
  readonly params: { readonly id: string }
}

/** `removed_at`: null restores it. */
async function markEntry(
  trx: Trx,
  list: NamedList,
  { actor, actorName, params: { id } }: EntryAct,
  removed_at: string | null,
): Promise<void> {
  await trx
    .updateTable(tableOf(list))
    .set({ removed_at, changed_by: actor, changed_by_name: actorName, changed_at: new Date().toISOString() })
    .where('id', '=', id)
    .execute()
}

/** `also`: the columns that only this list has. */
export async function putEntry(
  trx: Trx,
  list: NamedList,
  { actor, actorName, params: { id, name } }: EntryAct & { readonly params: SavedEntry },
  also: Partial<Insertable<Tables['snippet']>> = {},
): Promise<void> {
  const now = {
    ...also,
    name,
    name_key: nameKey(name),
    changed_by: actor,
    changed_by_name: actorName,
    changed_at: new Date().toISOString(),
    removed_at: null,
  }
  await trx
    .insertInto(tableOf(list))
    .values({ id, ...now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(now))
    .execute()
}
