import 'server-only'
import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import type { CommandRow } from '#lib/commands/row.ts'
import {
  countCommands,
  findAuthors,
  type Place,
  placesOfCommands,
  type Take,
  type WantedChanges,
} from '#lib/commands/search.ts'
import type { Tables } from '#lib/store/tables.ts'
import type { EntryRow } from './entry-words.ts'

/** Null if the filter excludes the source. */
export interface ActivityQuery {
  readonly changes: WantedChanges | null
  readonly entries: WantedEntries | null
}

/** One of `command` and `entry` is set, unless retention erased the row meanwhile. */
export interface FoundActivity extends Place {
  readonly command: CommandRow | undefined
  readonly entry: EntryRow | undefined
}

interface TakeActivity {
  readonly limit: number
  readonly offset?: number
  readonly after?: Place | null
}

export async function findActivity(
  db: Kysely<Tables>,
  wanted: ActivityQuery,
  { limit, offset = 0, after = null }: TakeActivity,
): Promise<FoundActivity[]> {
  const places = await findPlaces(db, wanted, { limit, offset, after })
  const ids = places.map(({ id }) => id)
  if (ids.length === 0) return []
  const [commands, entries] = await Promise.all([
    db.selectFrom('command').selectAll().where('id', 'in', ids).execute(),
    db.selectFrom('audit_entry').selectAll().where('id', 'in', ids).execute(),
  ])
  const [commandOf, entryOf] = [byId(commands), byId(entries)]
  return places.map((place) => ({ ...place, command: commandOf.get(place.id), entry: entryOf.get(place.id) }))
}

const byId = <Row extends { readonly id: string }>(rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [row.id, row]))

/** Limits each source by its own index before the union is sorted. */
async function findPlaces(
  db: Kysely<Tables>,
  { changes, entries }: ActivityQuery,
  { limit, offset, after }: Required<TakeActivity>,
): Promise<Place[]> {
  const take = { limit: limit + offset, after }
  const sources = [
    ...(changes === null ? [] : [placesOfCommands(db, changes, take)]),
    ...(entries === null ? [] : [placesOfEntries(db, entries, take)]),
  ].map((source) => db.selectFrom(source.as('source')).select(['at', 'id']))
  const [first, second] = sources
  if (first === undefined) return []
  return await db
    .selectFrom((second === undefined ? first : first.unionAll(second)).as('place'))
    .select(['at', 'id'])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

export async function countActivity(db: Kysely<Tables>, { changes, entries }: ActivityQuery): Promise<number> {
  const [commands, others] = await Promise.all([
    changes === null ? 0 : countCommands(db, changes),
    entries === null ? 0 : countEntries(db, entries),
  ])
  return commands + others
}

export async function findPeople(
  db: Kysely<Tables>,
  { changes, entries }: ActivityQuery,
  latest: number,
): Promise<string[]> {
  const names = await Promise.all([
    changes === null ? [] : findAuthors(db, changes, latest),
    entries === null ? [] : findEntryAuthors(db, entries, latest),
  ])
  return [...new Set(names.flat())].toSorted((one, other) => one.localeCompare(other, 'en'))
}

type WantedEntries = Omit<WantedChanges, 'outcome'>

type Where = ExpressionBuilder<Tables, 'audit_entry'>

const placesOfEntries = (db: Kysely<Tables>, wanted: WantedEntries, { limit, after = null }: Take) =>
  db
    .selectFrom('audit_entry')
    .select(['at', 'id'])
    .where((where) => where.and(conditions(where, wanted)))
    .$if(after !== null, (query) => query.where(sql<boolean>`(at, id) < (${after?.at}, ${after?.id})`))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)

async function countEntries(db: Kysely<Tables>, wanted: WantedEntries): Promise<number> {
  const { count } = await db
    .selectFrom('audit_entry')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where((where) => where.and(conditions(where, wanted)))
    .executeTakeFirstOrThrow()
  return Number(count)
}

async function findEntryAuthors(db: Kysely<Tables>, wanted: WantedEntries, latest: number): Promise<string[]> {
  const rows = await db
    .selectFrom(placesOfEntries(db, wanted, { limit: latest }).select('actor_name').as('latest'))
    .select('actor_name')
    .distinct()
    .execute()
  return rows.map(({ actor_name }) => actor_name)
}

function conditions(where: Where, { actor, kinds, by, kind, since, until, text }: WantedEntries) {
  const mine = where('actor', '=', actor)
  return [
    kinds.length === 0 ? mine : where.or([mine, where('kind', 'in', kinds)]),
    ...(by === 'mine' ? [mine] : []),
    ...(typeof by === 'object' && by !== null ? [sql<boolean>`lower(actor_name) = ${by.name.toLowerCase()}`] : []),
    ...(kind === null ? [] : [where('kind', '=', kind)]),
    ...(since === null ? [] : [where('at', '>=', since)]),
    ...(until === null ? [] : [where('at', '<', until)]),
    ...(text === null ? [] : [names(where, text)]),
  ]
}

/** The subject, the entry's id or a whole fact, in any case. */
const names = (where: Where, text: string) =>
  where.or([
    where('about', 'in', [text, text.toLowerCase(), text.toUpperCase()]),
    where('id', '=', text.toLowerCase()),
    sql<boolean>`strpos(lower(facts), ${JSON.stringify(text).toLowerCase()}) > 0`,
  ])
