import 'server-only'
import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import { auditKindsSeenOfOthers, kindsSeenOfOthers } from '#lib/commands/access.ts'
import { textOf } from '#lib/commands/kind.ts'
import type { CommandRow } from '#lib/commands/row.ts'
import {
  authoredBy,
  type ChangeFilter,
  countCommands,
  type EntryFilter,
  findAuthors,
  type Place,
  placesOfCommands,
  type Take,
} from '#lib/commands/search.ts'
import { actorWords, viewOf } from '#lib/commands/view.ts'
import type { EventRow } from '#lib/journal/event.ts'
import { commandKinds } from '#lib/kind-names.ts'
import { auditKinds } from '#lib/session/audit-kinds.ts'
import type { Session } from '#lib/session/session.ts'
import { countRows, store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { boundsOf, ME } from '#lib/values/address-filter.ts'
import { Money } from '#lib/values/money.ts'
import { type ActivityFilter, type ActivityRow, ALL_ACTIVITY } from './activity-filter.ts'
import { countDecisions, decisionOf, findDeciders, findDecisions, placesOfDecisions } from './decisions.ts'
import { type EntryRow, entryWords } from './entry-words.ts'
import { decisionKinds } from './kind-words.ts'

export interface ActivityPage {
  readonly rows: readonly ActivityRow[]
  readonly total: number
}

/** Only what the person may see, latest first. */
export async function activityPage(
  session: Session,
  filter: ActivityFilter,
  { page, size }: { readonly page: number; readonly size: number },
): Promise<ActivityPage> {
  const [db, wanted] = [await store(), await wantedBy(session, filter)]
  const [found, total] = await Promise.all([
    findActivity(db, wanted, { limit: size, offset: (page - 1) * size }),
    countActivity(db, wanted),
  ])
  return { rows: rowsOf(session, found), total }
}

const PEOPLE_OF_LATEST = 1_000

export const peopleLately = async (session: Session): Promise<readonly string[]> =>
  await findPeople(await store(), await wantedBy(session, ALL_ACTIVITY), PEOPLE_OF_LATEST)

const READ_AT_ONCE = 500

/** Lists all places first, because a change moves when it is sent. */
export async function* activityInParts(
  session: Session,
  filter: ActivityFilter,
  rowsMax: number,
): AsyncGenerator<ActivityPage, void, undefined> {
  const [db, wanted] = [await store(), await wantedBy(session, filter)]
  const places = await findPlaces(db, wanted, { limit: rowsMax, offset: 0 })
  let total = places.length < rowsMax ? places.length : await countActivity(db, wanted)
  for (let taken = 0; taken < places.length; taken += READ_AT_ONCE) {
    const part = places.slice(taken, taken + READ_AT_ONCE)
    const rows = rowsOf(null, await readPlaces(db, part))
    total -= part.length - rows.length
    yield { rows, total }
  }
}

async function wantedBy(session: Session, filter: ActivityFilter): Promise<ActivityQuery> {
  const { person, kind, outcome, text } = filter
  const both = {
    actor: session.actor,
    userId: session.userId,
    by: authorWanted(session, person),
    kind: kind === '' ? null : kind,
    ...boundsOf(filter),
    text: text === '' ? null : text,
  }
  const isOf = (kinds: readonly string[]) => kind === '' || kinds.includes(kind)
  // Entries and decisions have no state, so an outcome filter selects changes only.
  const anyState = outcome === ''
  const kinds = await kindsSeenOfOthers(session)
  return {
    changes: isOf(commandKinds) ? { ...both, kinds, outcome: anyState ? null : outcome } : null,
    entries: isOf(auditKinds) && anyState ? { ...both, kinds: await auditKindsSeenOfOthers(session) } : null,
    decisions: isOf(decisionKinds) && anyState ? { ...both, kinds } : null,
  }
}

export function authorWanted({ displayName }: Session, person: string): ChangeFilter['by'] {
  if (person === '') return null
  if (person === ME) return 'mine'
  // By another sign-in method, own acts have another name.
  return { name: person, orMine: displayName.toLowerCase().startsWith(person.toLowerCase()) }
}

const rowsOf = (reader: Session | null, found: readonly FoundActivity[]): readonly ActivityRow[] =>
  found.flatMap(({ at, command, entry, decision }) => {
    if (decision !== undefined) return command === undefined ? [] : [decisionRow(reader, decision, command)]
    if (command !== undefined) return [changeRow(reader, command, at)]
    // Retention erased the entry meanwhile.
    return entry === undefined ? [] : [entryRow(reader, entry)]
  })

function changeRow(reader: Session | null, row: CommandRow, at: string): ActivityRow {
  const { id, kind, title, target, traceId, outcome } = viewOf(row)
  const [actorName, amount] = [actorWords(reader, row), amountOf(row)]
  return { id, record: id, at, kind, title, target, actorName, traceId, outcome, amount, details: '' }
}

function entryRow(reader: Session | null, row: EntryRow): ActivityRow {
  const { id, at, kind, about: target } = row
  const { title, details } = entryWords(row)
  return { id, record: id, at, kind, title, target, actorName: actorWords(reader, row), details, ...NO_CHANGE }
}

const NO_CHANGE = { traceId: null, outcome: null, amount: null } as const

function decisionRow(reader: Session | null, { sequence, at, ...event }: EventRow, row: CommandRow): ActivityRow {
  const { approves, reason, ...by } = decisionOf(event)
  const { title, target } = viewOf(row)
  return {
    ...{ id: String(sequence), record: row.id, at, kind: approves ? 'approval.approve' : 'approval.decline' },
    ...{ title: `${approves ? 'Approved' : 'Declined'}: ${title}`, target, details: reason, ...NO_CHANGE },
    actorName: actorWords(reader, { ...by, method: null }),
  }
}

/** The amount that the author was shown for confirmation. */
function amountOf(row: CommandRow): string | null {
  const amount = (textOf(row)?.lines ?? []).find((line) => line.as === 'money')?.value
  return amount === undefined || Money.fromWire(amount) === null ? null : amount
}

export interface ActivityQuery {
  readonly changes: ChangeFilter | null
  readonly entries: EntryFilter | null
  readonly decisions: EntryFilter | null
}

/** `command` is also that of a decision. All are undefined if retention erased the row meanwhile. */
interface FoundActivity extends Place {
  readonly command: CommandRow | undefined
  readonly entry: EntryRow | undefined
  readonly decision: EventRow | undefined
}

type TakeActivity = Take & { readonly offset: number }

export const findActivity = async (
  db: Kysely<Tables>,
  filter: ActivityQuery,
  take: TakeActivity,
): Promise<FoundActivity[]> => await readPlaces(db, await findPlaces(db, filter, take))

async function readPlaces(db: Kysely<Tables>, places: readonly Place[]): Promise<FoundActivity[]> {
  const ids = places.map(({ id }) => id)
  if (ids.length === 0) return []
  const decisions = await findDecisions(db, ids)
  const changed = [...ids, ...decisions.map(({ command_id }) => command_id)]
  const [commands, entries] = await Promise.all([
    db.selectFrom('command').selectAll().where('id', 'in', changed).execute(),
    db.selectFrom('audit_entry').selectAll().where('id', 'in', ids).execute(),
  ])
  const [commandOf, entryOf] = [byId(commands), byId(entries)]
  const decisionAt = new Map(decisions.map((event) => [String(event.sequence), event]))
  return places.map((place) => {
    const decision = decisionAt.get(place.id)
    const command = commandOf.get(decision?.command_id ?? place.id)
    return { ...place, command, entry: entryOf.get(place.id), decision }
  })
}

const byId = <Row extends { readonly id: string }>(rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [row.id, row]))

/** Limits each source by its own index before the union is sorted. */
async function findPlaces(
  db: Kysely<Tables>,
  { changes, entries, decisions }: ActivityQuery,
  { limit, offset }: TakeActivity,
): Promise<Place[]> {
  const take = { limit: limit + offset }
  const sources = [
    ...(changes === null ? [] : [placesOfCommands(db, changes, take)]),
    ...(entries === null ? [] : [placesOfEntries(db, entries, take)]),
    ...(decisions === null ? [] : [placesOfDecisions(db, decisions, take)]),
  ].map((source) => db.selectFrom(source.as('source')).select(['at', 'id']))
  const [first, ...others] = sources
  if (first === undefined) return []
  return await db
    .selectFrom(others.reduce((all, source) => all.unionAll(source), first).as('place'))
    .select(['at', 'id'])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

async function countActivity(db: Kysely<Tables>, { changes, entries, decisions }: ActivityQuery): Promise<number> {
  const counts = await Promise.all([
    changes === null ? 0 : countCommands(db, changes),
    entries === null ? 0 : countEntries(db, entries),
    decisions === null ? 0 : countDecisions(db, decisions),
  ])
  return counts.reduce((sum, count) => sum + count, 0)
}

async function findPeople(db: Kysely<Tables>, filter: ActivityQuery, latest: number): Promise<string[]> {
  const { changes, entries, decisions } = filter
  const names = await Promise.all([
    changes === null ? [] : findAuthors(db, changes, latest),
    entries === null ? [] : findEntryAuthors(db, entries, latest),
    decisions === null ? [] : findDeciders(db, decisions, latest),
  ])
  return [...new Set(names.flat())].toSorted((one, other) => one.localeCompare(other, 'en'))
}

type Where = ExpressionBuilder<Tables, 'audit_entry'>

const placesOfEntries = (db: Kysely<Tables>, filter: EntryFilter, { limit }: Take) =>
  db
    .selectFrom('audit_entry')
    .select(['at', 'id'])
    .where((where) => where.and(conditions(where, filter)))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)

const countEntries = (db: Kysely<Tables>, filter: EntryFilter): Promise<number> =>
  countRows(db.selectFrom('audit_entry').where((where) => where.and(conditions(where, filter))))

async function findEntryAuthors(db: Kysely<Tables>, filter: EntryFilter, latest: number): Promise<string[]> {
  const rows = await db
    .selectFrom(placesOfEntries(db, filter, { limit: latest }).select('actor_name').as('latest'))
    .select('actor_name')
    .distinct()
    .execute()
  return rows.map(({ actor_name }) => actor_name)
}

function conditions(where: Where, { actor, kinds, by, kind, since, until, text }: EntryFilter) {
  const mine = where('actor', '=', actor)
  return [
    kinds.length === 0 ? mine : where.or([mine, where('kind', 'in', kinds)]),
    ...authoredBy(by, mine),
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
    sql<boolean>`strpos(lower(facts), lower(${JSON.stringify(text)})) > 0`,
  ])
