import 'server-only'
import type { Kysely } from 'kysely'
import type { CommandRow } from '#lib/commands/row.ts'
import { type ChangeFilter, countCommands, findAuthors, type Place, placesOfCommands } from '#lib/commands/search.ts'
import type { Tables } from '#lib/store/tables.ts'
import { countEntries, findEntryAuthors, placesOfEntries, type WantedEntries } from './entry-search.ts'
import type { EntryRow } from './entry-words.ts'

/** Null if the filter excludes the source. */
export interface WantedActivity {
  readonly changes: ChangeFilter | null
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
  wanted: WantedActivity,
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
  { changes, entries }: WantedActivity,
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

export async function countActivity(db: Kysely<Tables>, { changes, entries }: WantedActivity): Promise<number> {
  const [commands, others] = await Promise.all([
    changes === null ? 0 : countCommands(db, changes),
    entries === null ? 0 : countEntries(db, entries),
  ])
  return commands + others
}

export async function findPeople(
  db: Kysely<Tables>,
  { changes, entries }: WantedActivity,
  latest: number,
): Promise<string[]> {
  const names = await Promise.all([
    changes === null ? [] : findAuthors(db, changes, latest),
    entries === null ? [] : findEntryAuthors(db, entries, latest),
  ])
  return [...new Set(names.flat())].toSorted((one, other) => one.localeCompare(other, 'en'))
}
