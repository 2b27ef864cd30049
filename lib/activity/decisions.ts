import 'server-only'
import { type ExpressionBuilder, type Kysely, type Selectable, sql } from 'kysely'
import { shownToParty } from '#lib/commands/hidden-from-parties.ts'
import { authoredBy, type EntryFilter, type Take } from '#lib/commands/search.ts'
import type { EventRow } from '#lib/journal/event.ts'
import { countRows } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'

/** Must match the indexes of migration 0008. No text in a value can match: JSON escapes its quotes. */
const IS_DECISION = sql<boolean>`body ~ '"decision":"(approved|declined)","by":"'`
const BY = sql<string>`substring(body FROM '"decision":"[a-z]+","by":"([^"]*)"')`

const BY_NAME = sql<string>`substring(body FROM '"decision":"[a-z]+","by":"[^"]*","byName":"((?:[^"\\\\]|\\\\.)*)"')`
/** A body begins with the kind of its change. */
const KIND = sql<string>`substring(body FROM '^[{]"kind":"([^"]*)"')`
const ID = sql<string>`sequence::text`

type Where = ExpressionBuilder<Tables, 'command_event'>

export const placesOfDecisions = (db: Kysely<Tables>, filter: EntryFilter, { limit }: Take) =>
  db
    .selectFrom('command_event')
    .select(['at', ID.as('id')])
    .where((where) => where.and(conditions(where, filter)))
    .orderBy('at', 'desc')
    .orderBy(ID, 'desc')
    .limit(limit)

export const countDecisions = (db: Kysely<Tables>, filter: EntryFilter): Promise<number> =>
  countRows(db.selectFrom('command_event').where((where) => where.and(conditions(where, filter))))

export async function findDeciders(db: Kysely<Tables>, filter: EntryFilter, latest: number): Promise<string[]> {
  const rows = await db
    .selectFrom(placesOfDecisions(db, filter, { limit: latest }).select('body').as('latest'))
    .select(BY_NAME.as('name'))
    .distinct()
    .execute()
  return rows.map(({ name }) => JSON.parse(`"${name}"`) as string)
}

export async function findDecisions(db: Kysely<Tables>, places: readonly string[]): Promise<EventRow[]> {
  const sequences = places.filter((id) => /^\d+$/.test(id)).map(Number)
  if (sequences.length === 0) return []
  return await db.selectFrom('command_event').selectAll().where('sequence', 'in', sequences).execute()
}

/** A person sees a decision where they see its change. */
function conditions(where: Where, { actor, userId, kinds, by, kind, since, until, text }: EntryFilter) {
  const authored = where('actor', '=', actor)
  const theirs = () => where.and([where(KIND, 'in', kinds), ...shownToParty('command_id', userId, kinds)])
  const decision = kind === 'approval.decline' ? 'declined' : 'approved'
  return [
    IS_DECISION,
    kinds.length === 0 ? authored : where.or([authored, theirs()]),
    ...authoredBy(by, where(BY, '=', actor), (name) => sql`starts_with(lower(${BY_NAME}), lower(${inJson(name)}))`),
    ...(kind === null ? [] : [sql<boolean>`strpos(body, ${`"decision":"${decision}"`}) > 0`]),
    ...(since === null ? [] : [where('at', '>=', since)]),
    ...(until === null ? [] : [where('at', '<', until)]),
    ...(text === null ? [] : [mentions(where, text)]),
  ]
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

const mentions = (where: Where, text: string) =>
  where.or([
    where('command_id', '=', text.toLowerCase()),
    sql<boolean>`strpos(lower(body), lower(${JSON.stringify(text)})) > 0`,
  ])

export type Decision = Pick<Selectable<Tables['approval']>, 'approves' | 'actor' | 'actor_name' | 'reason'>

export function decisionOf({ body }: Pick<EventRow, 'body'>): Decision {
  const { decision, by, byName, why = '' } = JSON.parse(body) as Readonly<Record<string, string>>
  return { approves: decision === 'approved', actor: by ?? '', actor_name: byName ?? '', reason: why }
}
