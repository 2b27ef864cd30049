import 'server-only'
import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import { kindsSeenOfOthers } from '#lib/commands/access.ts'
import type { ApprovalViewName, GivenDecision, RequestRow, RequestStatus } from '#lib/commands/command.ts'
import { shownToParty } from '#lib/commands/hidden-from-parties.ts'
import { commandNamed } from '#lib/commands/kind.ts'
import { authoredBy, type ChangeFilter, isBy, isOfClass, type Reader } from '#lib/commands/search.ts'
import { actorWords, viewFor, viewOf } from '#lib/commands/view.ts'
import { config } from '#lib/config/config.ts'
import { isGenuine } from '#lib/journal/event.ts'
import { type CommandKindName, commandKinds, policyTermsOf } from '#lib/kind-names.ts'
import type { Session } from '#lib/session/session.ts'
import { countRows, databaseNow, store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { distanceText } from '#lib/values/time.ts'
import { HAS_EXPIRED, isoOf, textArray } from './approval-table.ts'
import { refusalToDecide } from './approval-view.ts'

export interface RequestFilter {
  readonly view: ApprovalViewName
  readonly kind: string | null
  /** The author, or someone who decided. */
  readonly by: ChangeFilter['by']
  readonly status: RequestStatus | null
  /** ISO 8601, of the request; `until` is exclusive. */
  readonly since: string | null
  readonly until: string | null
}

export interface RequestPage {
  readonly rows: readonly RequestRow[]
  readonly total: number
  /** More wait than were checked for this person. */
  readonly cut: boolean
}

export const approvableKinds = (): readonly CommandKindName[] =>
  commandKinds.filter((kind) => policyTermsOf(kind)?.approvable || commandNamed(kind)?.requires !== undefined)

export type RequestQuery = RequestFilter & Reader

const queryFor = async (session: Session, filter: RequestFilter): Promise<RequestQuery> => ({
  ...filter,
  actor: session.actor,
  userId: session.userId,
  kinds: await kindsSeenOfOthers(session),
})

/** Only what the person may see: the most urgent first if it waits for them, else the newest request first. */
export async function requestPage(
  session: Session,
  filter: RequestFilter,
  { page, size }: { readonly page: number; readonly size: number },
): Promise<RequestPage> {
  const [db, query] = [await store(), await queryFor(session, filter)]
  if (query.view === 'waiting') {
    const { found, cut } = await findDecidable(session, db, query)
    const rows = await rowsOf(session, db, found.slice((page - 1) * size, page * size))
    return { rows, total: found.length, cut }
  }
  const [found, total] = await Promise.all([
    findRequests(db, query, { limit: size, offset: (page - 1) * size }),
    countRequests(db, query),
  ])
  return { rows: await rowsOf(session, db, found), total, cut: false }
}

const READ_AT_ONCE = 500

export async function* requestsInParts(
  session: Session,
  filter: RequestFilter,
  rowsMax: number,
): AsyncGenerator<Omit<RequestPage, 'cut'>, void, undefined> {
  const [db, query] = [await store(), await queryFor(session, filter)]
  if (query.view === 'waiting') {
    const { found, cut } = await findDecidable(session, db, query)
    return yield { rows: await rowsOf(null, db, found), total: found.length + Number(cut) }
  }
  const total = await countRequests(db, query)
  let after: Place | null = null
  for (let taken = 0; taken < rowsMax; ) {
    const limit = Math.min(READ_AT_ONCE, rowsMax - taken)
    const found: FoundRequest[] = await findRequests(db, query, { limit, after })
    taken += found.length
    const isLast = found.length < limit
    // Requests may leave the list meanwhile.
    yield { rows: await rowsOf(null, db, found), total: isLast ? taken : total }
    if (isLast) return
    after = found.at(-1) ?? null
  }
}

export interface NextRequest {
  readonly id: string
  readonly title: string
  readonly waiting: number
}

/** The most urgent one that waits for the person, except `id`. */
export async function nextRequest(session: Session, filter: RequestFilter, id: string): Promise<NextRequest | null> {
  const query = await queryFor(session, { ...filter, view: 'waiting', status: null })
  const { found } = await findDecidable(session, await store(), query)
  const others = found.filter((row) => row.id !== id)
  const [next] = others
  return next === undefined ? null : { id: next.id, title: viewFor(session, next).title, waiting: others.length }
}

const EARLIER_MAX = 5

/** Other requests for the same effect or its opposite that the person may see, newest first. */
export async function earlierRequests(session: Session, id: string): Promise<readonly RequestRow[]> {
  const db = await store()
  const query = await queryFor(session, { ...ALL, view: 'decided' })
  const request = await db.selectFrom('approval_request').select('keys').where('command_id', '=', id).executeTakeFirst()
  if (request === undefined || request.keys.length === 0) return []
  return await rowsOf(session, db, await findEarlier(db, query, { id, keys: request.keys }))
}

export const findEarlier = (
  db: Kysely<Tables>,
  query: RequestQuery,
  { id, keys }: { readonly id: string; readonly keys: readonly string[] },
): Promise<FoundRequest[]> =>
  selected(db, query)
    .where('approval_request.command_id', '!=', id)
    .where(sql<boolean>`approval_request.keys && ${textArray(keys)}`)
    .orderBy('asked_at', 'desc')
    .limit(EARLIER_MAX)
    .execute()

const ALL = { kind: null, by: null, status: null, since: null, until: null } as const

/** How long each of these has waited, if the reminder is due. */
export async function findOverdue(ids: readonly string[]): Promise<Readonly<Record<string, string>>> {
  if (ids.length === 0) return {}
  const rows = await (await store())
    .selectFrom('approval_request')
    .select(['command_id', WAITED.as('waited')])
    .where('command_id', 'in', ids)
    .where(WAITED, '>=', reminderSeconds())
    .execute()
  return Object.fromEntries(rows.map(({ command_id, waited }) => [command_id, distanceText(waited)]))
}

const reminderSeconds = (): number => config().approvalReminderMinutes * 60

const WAITED = sql<number>`${databaseNow} - asked_at`

type FoundRequest = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number]

type Place = Pick<FoundRequest, 'asked_at' | 'id'>

/** A count, because the planner may read the whole table for `EXISTS`. */
const countOf = (condition: ReturnType<typeof sql<boolean>>) =>
  sql<number>`(SELECT count(*) FROM approval AS given WHERE given.command_id = command.id AND ${condition})`

const decidedWith = (condition: ReturnType<typeof sql<boolean>>) => sql<boolean>`${countOf(condition)} > 0`

const IS_APPROVED = sql<boolean>`${countOf(
  sql`given.approves AND given.effect = command.effect AND given.actor <> command.actor`,
)} >= approval_request.approvals`

/** Quotes in texts of people are escaped in JSON, so this is the name of the field. */
const ASKS_TO_READ = sql<boolean>`strpos(coalesce(command.outcome, ''), '"rereadOf":"') > 0`

const STATUS = sql<RequestStatus>`CASE
  WHEN command.sent_at IS NOT NULL THEN 'sent'
  WHEN command.state = 'awaiting_approval' AND approval_request.expires_at <= ${databaseNow} THEN 'expired'
  WHEN command.state = 'awaiting_approval' AND ${IS_APPROVED} THEN 'approved'
  WHEN command.state = 'awaiting_approval' THEN 'waiting'
  WHEN ${decidedWith(sql`NOT given.approves`)} THEN 'declined'
  WHEN ${isOfClass('cancelled')} THEN 'cancelled'
  WHEN ${HAS_EXPIRED} THEN 'expired'
  ELSE 'ended' END`

const joined = (db: Kysely<Tables>) =>
  db.selectFrom('approval_request').innerJoin('command', 'command.id', 'approval_request.command_id')

const selected = (db: Kysely<Tables>, query: RequestQuery) =>
  joined(db)
    .selectAll('command')
    .select(['asked_at', 'expires_at', 'approvals', 'approval_request.reason as request_reason'])
    .select([WAITED.as('waited'), STATUS.as('status')])
    .where((where) => where.and(conditions(where, query)))

export const findRequests = (
  db: Kysely<Tables>,
  query: RequestQuery,
  {
    limit,
    offset = 0,
    after = null,
  }: { readonly limit: number; readonly offset?: number; readonly after?: Place | null },
): Promise<FoundRequest[]> =>
  selected(db, query)
    .$if(after !== null, (found) =>
      found.where(sql<boolean>`(asked_at, approval_request.command_id) < (${after?.asked_at}, ${after?.id})`),
    )
    .orderBy('asked_at', 'desc')
    .orderBy('approval_request.command_id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

const countRequests = (db: Kysely<Tables>, query: RequestQuery): Promise<number> =>
  countRows(joined(db).where((where) => where.and(conditions(where, query))))

/** Each is checked for the person, with a few reads. */
const CHECKED_MAX = 500

export const findUndecided = (db: Kysely<Tables>, query: RequestQuery): Promise<FoundRequest[]> =>
  selected(db, query)
    .orderBy('expires_at')
    .orderBy('approval_request.command_id')
    .limit(CHECKED_MAX + 1)
    .execute()

async function findDecidable(session: Session, db: Kysely<Tables>, query: RequestQuery) {
  const undecided = await findUndecided(db, query)
  const found: FoundRequest[] = []
  for (const row of undecided.slice(0, CHECKED_MAX)) if ((await refusalToDecide(session, row)) === null) found.push(row)
  return { found, cut: undecided.length > CHECKED_MAX }
}

type Where = ExpressionBuilder<Tables, 'approval_request' | 'command'>

function conditions(where: Where, query: RequestQuery) {
  const { actor, userId, kinds, kind, by, status, since, until } = query
  const mine = where('command.actor', '=', actor)
  const theirs = () => where.and([where('command.kind', 'in', kinds), ...shownToParty('command.id', userId, kinds)])
  return [
    ...viewConditions(where, query),
    kinds.length === 0 ? mine : where.or([mine, theirs()]),
    ...(kind === null ? [] : [where('command.kind', '=', kind)]),
    ...authoredBy(by, where.or([mine, decidedWith(sql`given.actor = ${actor}`)]), (name) =>
      where.or([isBy(name), decidedWith(isDecidedBy(name))]),
    ),
    ...(status === null ? [] : [sql<boolean>`${STATUS} = ${status}`]),
    ...(since === null ? [] : [sql<boolean>`asked_at >= extract(epoch FROM ${since}::timestamptz)`]),
    ...(until === null ? [] : [sql<boolean>`asked_at < extract(epoch FROM ${until}::timestamptz)`]),
  ]
}

const isDecidedBy = (name: string) => sql<boolean>`starts_with(lower(given.actor_name), lower(${name}))`

function viewConditions(where: Where, { view, actor }: RequestQuery) {
  if (view === 'requested') return [where('command.actor', '=', actor)]
  const waits = where('command.state', '=', 'awaiting_approval')
  if (view === 'decided') {
    return [where.or([where.not(waits), decidedWith(sql`true`), where('expires_at', '<=', databaseNow)])]
  }
  const undecided = where.and([
    sql<boolean>`${STATUS} = 'waiting'`,
    where.not(decidedWith(sql`given.actor = ${actor}`)),
  ])
  const toRead = where.and([where('expires_at', '>', databaseNow), ASKS_TO_READ])
  return [waits, where('command.actor', '!=', actor), where.or([undecided, toRead])]
}

async function rowsOf(
  reader: Session | null,
  db: Kysely<Tables>,
  found: readonly FoundRequest[],
): Promise<readonly RequestRow[]> {
  const ids = found.map(({ id }) => id)
  const decisions = await readDecisions(reader, db, ids)
  return found.map((row) => {
    const [{ id, kind, title, target, outcome }, actorName] = [viewOf(row), actorWords(reader, row)]
    const { request_reason: reason, approvals: needed, amount, status, waited } = row
    return {
      ...{ id, kind, title, target, actorName, outcome, reason, needed, amount, status },
      askedAt: isoOf(row.asked_at),
      expiresAt: isoOf(row.expires_at),
      endedAt: row.settled_at,
      decisions: decisions.get(id) ?? [],
      overdue: status === 'waiting' && waited >= reminderSeconds() ? distanceText(waited) : null,
    }
  })
}

/** From genuine events of the journal, oldest first: a row that was inserted into the store is no decision. */
async function readDecisions(
  reader: Session | null,
  db: Kysely<Tables>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly GivenDecision[]>> {
  if (ids.length === 0) return new Map()
  const events = await db
    .selectFrom('command_event')
    .selectAll()
    .$narrowType<{ command_id: string }>()
    .where('command_id', 'in', ids)
    .where(sql<boolean>`strpos(body, '"decision":"') > 0`)
    .orderBy('sequence')
    .execute()
  const decisions = events.filter(isGenuine).flatMap(({ command_id: id, at, body }) => {
    const { decision, by, byName, why = '' } = JSON.parse(body) as Readonly<Record<string, string>>
    if (by === undefined || byName === undefined) return []
    const name = actorWords(reader, { actor: by, actor_name: byName, method: null })
    return [{ id, given: { by: name, approves: decision === 'approved', reason: why, at } }]
  })
  return new Map(
    [...Map.groupBy(decisions, ({ id }) => id)].map(([id, group]) => [id, group.map(({ given }) => given)]),
  )
}
