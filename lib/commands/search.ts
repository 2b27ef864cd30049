import 'server-only'
import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import { countRows, partPattern } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { shownToParty } from './hidden-from-parties.ts'
import { RECONCILE_END_SECONDS, SETTLE_BY_HAND_AFTER_SECONDS } from './reconcile-schedule.ts'
import type { CommandRow, CommandState } from './row.ts'

/** `open`: unknown or working. `late`: the effect showed after none had shown. */
export type OutcomeFilter =
  | 'done'
  | 'working'
  | 'unknown'
  | 'open'
  | 'attention'
  | 'approval'
  | 'code'
  | 'not-done'
  | 'cancelled'
  | 'changed'
  | 'no-effect'
  | 'late'
  | 'prepared'

const LATE_FOR_SECONDS = 86_400

export interface Reader {
  readonly actor: string
  readonly userId: string
  /** Of these, changes of others are found too. */
  readonly kinds: readonly string[]
}

export interface ChangeFilter extends Reader {
  readonly by: 'mine' | { readonly name: string; readonly orMine: boolean } | null
  readonly kind: string | null
  readonly outcome: OutcomeFilter | null
  /** ISO 8601; `until` is exclusive. */
  readonly since: string | null
  readonly until: string | null
  /** Target, command id, trace id or one whole field value. */
  readonly text: string | null
}

export type EntryFilter = Omit<ChangeFilter, 'outcome'>

export interface Place {
  readonly at: string
  readonly id: string
}

type Where = ExpressionBuilder<Tables, 'command'>

/** Must match the index `command_by_time`. */
const AT = sql<string>`coalesce(sent_at, created_at)`

export interface Take {
  readonly limit: number
}

const matching = (db: Kysely<Tables>, filter: ChangeFilter) =>
  db.selectFrom('command').where((where) => where.and(conditions(where, filter)))

export const placesOfCommands = (db: Kysely<Tables>, filter: ChangeFilter, { limit }: Take) =>
  matching(db, filter)
    .select([AT.as('at'), 'id'])
    .orderBy(AT, 'desc')
    .orderBy('id', 'desc')
    .limit(limit)

export const countCommands = (db: Kysely<Tables>, filter: ChangeFilter): Promise<number> =>
  countRows(matching(db, filter))

export async function findAuthors(db: Kysely<Tables>, filter: ChangeFilter, latest: number): Promise<string[]> {
  const rows = await db
    .selectFrom(placesOfCommands(db, filter, { limit: latest }).select('actor_name').as('latest'))
    .select('actor_name')
    .distinct()
    .orderBy('actor_name')
    .execute()
  return rows.map(({ actor_name }) => actor_name)
}

function conditions(where: Where, filter: ChangeFilter) {
  const { actor, userId, kinds, by, kind, outcome, since, until, text } = filter
  const mine = where('actor', '=', actor)
  const theirs = () => where.and([where('kind', 'in', kinds), ...shownToParty('command.id', userId, kinds)])
  return [
    kinds.length === 0 ? mine : where.or([mine, theirs()]),
    outcome === 'prepared' ? where.and([where('state', '=', 'draft'), mine]) : where('state', '!=', 'draft'),
    ...authoredBy(by, mine),
    ...(kind === null ? [] : [where('kind', '=', kind)]),
    ...(outcome === null || outcome === 'prepared' ? [] : [hasOutcome(where, outcome)]),
    ...(since === null ? [] : [sql<boolean>`${AT} >= ${since}`]),
    ...(until === null ? [] : [sql<boolean>`${AT} < ${until}`]),
    ...(text === null ? [] : [mentions(where, text)]),
  ]
}

export const isBy = (name: string) => sql<boolean>`starts_with(lower(actor_name), lower(${name}))`

type Condition = Expression<SqlBool>

export function authoredBy(by: ChangeFilter['by'], mine: Condition, isNamed: (name: string) => Condition = isBy) {
  if (by === null) return []
  if (by === 'mine') return [mine]
  return [by.orMine ? sql<boolean>`(${isNamed(by.name)} OR ${mine})` : isNamed(by.name)]
}

const states: Readonly<Record<Exclude<OutcomeFilter, 'late' | 'attention' | 'prepared'>, readonly CommandState[]>> = {
  done: ['done', 'applied'],
  working: ['sent', 'accepted'],
  unknown: ['unknown'],
  open: ['unknown', 'accepted'],
  approval: ['awaiting_approval'],
  code: ['challenged'],
  'not-done': ['refused', 'closed', 'not_applied'],
  cancelled: ['refused', 'closed'],
  changed: ['refused', 'closed'],
  'no-effect': ['not_applied'],
}

function hasOutcome(where: Where, outcome: Exclude<OutcomeFilter, 'prepared'>) {
  if (outcome === 'late') return where('late_at', 'is not', null)
  if (outcome === 'attention') return needsAttention(where)
  const inState = where('state', 'in', states[outcome])
  if (isStoredClass(outcome)) return where.and([inState, isOfClass(outcome)])
  if (outcome !== 'not-done') return inState
  return where.and([inState, ...storedClasses.map((one) => where.not(isOfClass(one)))])
}

const secondsAgo = (seconds: number): string => new Date(Date.now() - seconds * 1000).toISOString()

export const needsAttention = (where: Where) =>
  where.or([
    where('state', '=', 'unknown'),
    where.and([
      where('state', '=', 'accepted'),
      sql<boolean>`${AT} <= CASE WHEN strpos(outcome, '"isUnderWay":false') > 0
        THEN ${secondsAgo(SETTLE_BY_HAND_AFTER_SECONDS)} ELSE ${secondsAgo(RECONCILE_END_SECONDS)} END`,
    ]),
    where.and([where('state', '=', 'not_applied'), where('handled_at', 'is', null)]),
    where('late_at', '>', secondsAgo(LATE_FOR_SECONDS)),
  ])

const storedClasses = ['cancelled', 'changed', 'no-effect'] as const

const isStoredClass = (outcome: string): outcome is (typeof storedClasses)[number] =>
  storedClasses.some((one) => one === outcome)

/** No field value can match: JSON escapes its quotes. */
export const isOfClass = (outcome: (typeof storedClasses)[number]) =>
  sql<boolean>`strpos(coalesce(outcome, ''), ${`"class":"${outcome}"`}) > 0`

export const inAnyCase = (target: string): readonly string[] => [target, target.toLowerCase(), target.toUpperCase()]

function mentions(where: Where, text: string) {
  const value = sql<string>`lower(${JSON.stringify(text)})`
  return where.or([
    where('target', 'in', inAnyCase(text)),
    where('id', '=', text.toLowerCase()),
    where('trace_id', '=', text),
    sql<boolean>`strpos(lower(params), ${value}) > 0`,
    sql<boolean>`strpos(lower(facts), ${value}) > 0`,
    sql<boolean>`strpos(lower(coalesce(outcome, '')), ${value}) > 0`,
  ])
}

/** Bounds partial matches per kind; an exact name matches at any age. */
const SEARCHED_MAX = 2_000

interface SeenPart extends Reader {
  readonly part: string
}

interface Naming extends SeenPart {
  /** A partial name is compared with the key after its colon. */
  readonly lock: string
}

/** By this person, or those of one kind that this person may see. */
const latestSent = (db: Kysely<Tables>, column: 'actor' | 'kind', value: string, userId: string) =>
  db
    .selectFrom((from) =>
      from
        .selectFrom('command')
        .selectAll()
        .where(({ and, eb }) =>
          and([eb(column, '=', value), ...(column === 'kind' ? shownToParty('command.id', userId, [value]) : [])]),
        )
        .where('sent_at', 'is not', null)
        .orderBy('sent_at', 'desc')
        .orderBy('id')
        .limit(SEARCHED_MAX)
        .as('latest'),
    )
    .select(['id', 'sent_at'])

/** With JSON's escapes. No text in a value can match: JSON escapes its quotes. */
const fieldIn = (json: string, field: string) =>
  sql<string>`substring(${sql.raw(json)} FROM ${sql.lit(`"${field}":"((?:[^"\\\\]|\\\\.)*)"`)})`

const partInJson = (part: string): string => partPattern(JSON.stringify(part).slice(1, -1))

/** Also finds confirmations by their bank reference, and changes by the trace id of their answer. */
export async function findNaming(
  db: Kysely<Tables>,
  { part, lock, actor, userId, kinds }: Naming,
  limit: number,
): Promise<CommandRow[]> {
  const pattern = partPattern(part)
  const inJson = partInJson(part)
  const bankReference = sql<boolean>`CASE WHEN kind = 'deposit.confirm' AND params ILIKE ${inJson}
    THEN ${fieldIn('params', 'bankReference')} ILIKE ${inJson} ELSE false END`
  const lockPart = partPattern(lock.slice(lock.indexOf(':') + 1))
  const holdsPart = sql<boolean>`CASE WHEN kind = 'deposit.confirm' THEN EXISTS (
    SELECT 1 FROM command_lock WHERE command_id = latest.id AND key LIKE ${lockPart}) ELSE false END`
  const latest = (column: 'actor' | 'kind', value: string) =>
    latestSent(db, column, value, userId).where(({ or, eb }) =>
      or([eb('target', 'ilike', pattern), bankReference, holdsPart]),
    )
  const seen = db
    .selectFrom('command')
    .select(['command.id', 'sent_at'])
    .where('sent_at', 'is not', null)
    .where(({ or, and, eb }) => {
      const theirs = () => and([eb('kind', 'in', kinds), ...shownToParty('command.id', userId, kinds)])
      return or([eb('actor', '=', actor), ...(kinds.length === 0 ? [] : [theirs()])])
    })
  const whole = seen.where('target', 'in', inAnyCase(part))
  const traced = seen.where('trace_id', '=', part)
  const holder = seen.innerJoin('command_lock', 'command_id', 'command.id').where('key', '=', lock)
  const found = latest('actor', actor).union([whole, traced, holder, ...kinds.map((kind) => latest('kind', kind))])
  return await readLatest(db, found, limit)
}

/** Changes of terminals, by part of their UID or label. A registration without effect names no terminal. */
export async function findNamingTerminal(
  db: Kysely<Tables>,
  { part, actor, userId, kinds }: SeenPart,
  limit: number,
): Promise<CommandRow[]> {
  const [uid, label] = ['terminalUid', 'label'].map((field) => fieldIn('params || facts', field))
  const named = sql<boolean>`(kind = 'terminal.disable'
      OR (kind = 'terminal.register' AND state NOT IN ('refused', 'not_applied', 'closed')))
    AND (${uid} ILIKE ${partInJson(part)} OR ${label} ILIKE ${partInJson(part)})`
  const latest = (column: 'actor' | 'kind', value: string) => latestSent(db, column, value, userId).where(named)
  const ofTerminals = kinds.filter((kind) => kind.startsWith('terminal.'))
  return await readLatest(db, latest('actor', actor).union(ofTerminals.map((kind) => latest('kind', kind))), limit)
}

/** Names of people who made changes, by part of the name or by a whole user id. */
export async function findAuthorsNamed(
  db: Kysely<Tables>,
  { part, actor, userId, kinds }: SeenPart,
  limit: number,
): Promise<string[]> {
  const latest = (column: 'actor' | 'kind', value: string) =>
    latestSent(db, column, value, userId)
      .clearSelect()
      .select('actor_name')
      .where(({ or, eb }) =>
        or([
          eb('actor_name', 'ilike', partPattern(part)),
          eb('actor', 'in', [part, ...inAnyCase(part).map((id) => `sso:${id}`)]),
        ]),
      )
  const people = latest('actor', actor).union(kinds.map((kind) => latest('kind', kind)))
  return (await people.orderBy('actor_name').limit(limit).execute()).map(({ actor_name }) => actor_name)
}

async function readLatest(
  db: Kysely<Tables>,
  found: ReturnType<typeof latestSent>,
  limit: number,
): Promise<CommandRow[]> {
  const places = await found.orderBy('sent_at', 'desc').orderBy('id').limit(limit).execute()
  if (places.length === 0) return []
  const ids = places.map(({ id }) => id)
  const rows = db.selectFrom('command').selectAll().where('id', 'in', ids)
  return await rows.orderBy('sent_at', 'desc').orderBy('id').execute()
}
