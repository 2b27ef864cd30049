import 'server-only'
import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import type { Tables } from '#lib/store/tables.ts'
import type { CommandState } from './command-table.ts'

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

export const LATE_FOR_MS = 86_400_000

export interface WantedChanges {
  readonly actor: string
  readonly kinds: readonly string[]
  readonly by: 'mine' | { readonly name: string } | null
  readonly kind: string | null
  readonly outcome: OutcomeFilter | null
  /** ISO 8601; `until` is exclusive. */
  readonly since: string | null
  readonly until: string | null
  /** Target, command id, trace id or one whole field value. */
  readonly text: string | null
}

export interface Place {
  readonly at: string
  readonly id: string
}

type Where = ExpressionBuilder<Tables, 'command'>

/** Must match the index `command_by_time`. */
const AT = sql<string>`coalesce(sent_at, created_at)`

export interface Take {
  readonly limit: number
  readonly after?: Place | null
}

export const placesOfCommands = (db: Kysely<Tables>, wanted: WantedChanges, { limit, after = null }: Take) =>
  db
    .selectFrom('command')
    .select([AT.as('at'), 'id'])
    .where((where) => where.and(conditions(where, wanted)))
    .$if(after !== null, (query) => query.where(sql<boolean>`(${AT}, id) < (${after?.at}, ${after?.id})`))
    .orderBy(AT, 'desc')
    .orderBy('id', 'desc')
    .limit(limit)

export async function countCommands(db: Kysely<Tables>, wanted: WantedChanges): Promise<number> {
  const { count } = await db
    .selectFrom('command')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where((where) => where.and(conditions(where, wanted)))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function findAuthors(db: Kysely<Tables>, wanted: WantedChanges, latest: number): Promise<string[]> {
  const rows = await db
    .selectFrom(
      db
        .selectFrom('command')
        .select('actor_name')
        .where((where) => where.and(conditions(where, wanted)))
        .orderBy(AT, 'desc')
        .orderBy('id', 'desc')
        .limit(latest)
        .as('latest'),
    )
    .select('actor_name')
    .distinct()
    .orderBy('actor_name')
    .execute()
  return rows.map(({ actor_name }) => actor_name)
}

function conditions(where: Where, wanted: WantedChanges) {
  const { actor, kinds, by, kind, outcome, since, until, text } = wanted
  const mine = where('actor', '=', actor)
  return [
    kinds.length === 0 ? mine : where.or([mine, where('kind', 'in', kinds)]),
    outcome === 'prepared' ? where.and([where('state', '=', 'draft'), mine]) : where('state', '!=', 'draft'),
    ...(by === 'mine' ? [mine] : []),
    ...(typeof by === 'object' && by !== null ? [isBy(by.name)] : []),
    ...(kind === null ? [] : [where('kind', '=', kind)]),
    ...(outcome === null || outcome === 'prepared' ? [] : [stands(where, outcome)]),
    ...(since === null ? [] : [sql<boolean>`${AT} >= ${since}`]),
    ...(until === null ? [] : [sql<boolean>`${AT} < ${until}`]),
    ...(text === null ? [] : [names(where, text)]),
  ]
}

const isBy = (name: string) => sql<boolean>`lower(actor_name) = ${name.toLowerCase()}`

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

function stands(where: Where, outcome: Exclude<OutcomeFilter, 'prepared'>) {
  if (outcome === 'late') return where('late_at', 'is not', null)
  if (outcome === 'attention') return needsAttention(where)
  const inState = where('state', 'in', states[outcome])
  if (isToldApart(outcome)) return where.and([inState, isOfClass(outcome)])
  if (outcome !== 'not-done') return inState
  return where.and([inState, ...toldApart.map((one) => where.not(isOfClass(one)))])
}

const needsAttention = (where: Where) =>
  where.or([
    where('state', '=', 'unknown'),
    where.and([where('state', '=', 'not_applied'), where('handled_at', 'is', null)]),
    where('late_at', '>', new Date(Date.now() - LATE_FOR_MS).toISOString()),
  ])

const toldApart = ['cancelled', 'changed', 'no-effect'] as const

const isToldApart = (outcome: string): outcome is (typeof toldApart)[number] => toldApart.some((one) => one === outcome)

/** No field value can match: JSON escapes its quotes. */
export const isOfClass = (outcome: (typeof toldApart)[number]) =>
  sql<boolean>`strpos(coalesce(outcome, ''), ${`"class":"${outcome}"`}) > 0`

function names(where: Where, text: string) {
  const value = JSON.stringify(text).toLowerCase()
  return where.or([
    where('target', 'in', [text, text.toLowerCase(), text.toUpperCase()]),
    where('id', '=', text.toLowerCase()),
    where('trace_id', '=', text),
    sql<boolean>`strpos(lower(params), ${value}) > 0`,
    sql<boolean>`strpos(lower(facts), ${value}) > 0`,
    sql<boolean>`strpos(lower(coalesce(outcome, '')), ${value}) > 0`,
  ])
}
