import 'server-only'
import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import type { ChangeFilter, Take } from '#lib/commands/search.ts'
import type { Tables } from '#lib/store/tables.ts'

export type WantedEntries = Omit<ChangeFilter, 'outcome'>

type Where = ExpressionBuilder<Tables, 'audit_entry'>

export const placesOfEntries = (db: Kysely<Tables>, wanted: WantedEntries, { limit, after = null }: Take) =>
  db
    .selectFrom('audit_entry')
    .select(['at', 'id'])
    .where((where) => where.and(conditions(where, wanted)))
    .$if(after !== null, (query) => query.where(sql<boolean>`(at, id) < (${after?.at}, ${after?.id})`))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)

export async function countEntries(db: Kysely<Tables>, wanted: WantedEntries): Promise<number> {
  const { count } = await db
    .selectFrom('audit_entry')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where((where) => where.and(conditions(where, wanted)))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function findEntryAuthors(db: Kysely<Tables>, wanted: WantedEntries, latest: number): Promise<string[]> {
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
