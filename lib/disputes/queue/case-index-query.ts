import 'server-only'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { isPartyIn } from '#lib/commands/hidden-from-parties.ts'
import { listCategories } from '#lib/disputes/categories/category-table.ts'
import { hasConflict } from '#lib/disputes/decision.ts'
import { isAway } from '#lib/disputes/workspace/absence.ts'
import { dueAnswer } from '#lib/disputes/workspace/answer-deadline.ts'
import { noticeColumns, noticeIs } from '#lib/disputes/workspace/case-notices.ts'
import { isSnoozed, snoozeEnd } from '#lib/disputes/workspace/workspace-tables.ts'
import type { Tables } from '#lib/store/tables.ts'
import { type CountedGroup, countsIn } from './case-counts.ts'
import { ageKind, countedByDay, type IndexedCase } from './case-index.ts'
import {
  type AgeId,
  type AssigneeCount,
  ageKeys,
  type ClaimFilter,
  type QueueCounts,
  type QueueFilter,
  type TurnFilter,
  type UrgentCase,
} from './queue.ts'

export interface Reader {
  readonly userId: string
  readonly actor: string
  /** Never of the reader's own cases. */
  readonly seesClaims: boolean
  readonly seesAmounts: boolean
}

export type ClaimedCase = IndexedCase & {
  readonly holder: string | null
  readonly holder_name: string | null
  readonly snoozed: boolean
  readonly until: string | null
  readonly mentioned: boolean
  readonly watching: boolean
  /** BZD; null if nobody has read it. */
  readonly amount: string | null
  readonly category: string | null
  readonly answer_by: string | null
}

type Condition = RawBuilder<boolean>

const always: Condition = sql<boolean>`true`
const all = (...conditions: readonly Condition[]): Condition => sql<boolean>`(${sql.join(conditions, sql` AND `)})`

function ageIs(age: AgeId | null, nowMs: number): Condition {
  if (age === null) return always
  const { after, upTo } = ageKeys(age, nowMs)
  const younger = after === null ? always : sql<boolean>`created_key > ${after}`
  return all(younger, upTo === null ? always : sql<boolean>`created_key <= ${upTo}`)
}

/** Runs once, on its indexes; comparing both parties of every case is slow. */
const isOwnCase = (userId: string): Condition =>
  sql<boolean>`id_key = ANY(ARRAY(SELECT id_key FROM case_index WHERE ${isPartyIn(userId)}))`

const isSnoozedCase = (nowMs: number): Condition => sql<boolean>`EXISTS (
  SELECT 1 FROM case_snooze WHERE case_id = case_index.id_key AND ${isSnoozed(nowMs)})`

/** Only open cases have a claim. A hidden claim matches no filter, so that counts do not reveal it. */
function claimIs(claim: ClaimFilter | null, { userId, actor, seesClaims }: Reader, nowMs: number): Condition {
  if (claim === null) return always
  if (!seesClaims) return sql<boolean>`false`
  const known = sql<boolean>`(status = 'OPEN' AND NOT ${isOwnCase(userId)})`
  const claimed = (how: Condition) =>
    sql<boolean>`EXISTS (SELECT 1 FROM case_claim WHERE case_id = case_index.id_key AND ${how})`
  const snoozed = isSnoozedCase(nowMs)
  switch (claim) {
    case 'mine':
      return all(known, claimed(sql`holder = ${actor}`), sql<boolean>`NOT ${snoozed}`)
    case 'snoozed':
      return all(known, claimed(sql`holder = ${actor}`), snoozed)
    case 'unassigned':
      return all(known, sql<boolean>`NOT ${claimed(always)}`)
    case 'others':
      return all(known, claimed(sql`holder <> ${actor}`))
  }
}

const claimColumns = (reader: Reader) => sql`case_amount.amount, holder, holder_name,
  case_snooze.case_id IS NOT NULL AS snoozed, ${snoozeEnd} AS until,
  (SELECT name FROM case_category WHERE id = category_id) AS category,
  CASE WHEN status <> 'RESOLVED' THEN ${dueAnswer(sql`id_key`)} END AS answer_by,
  ${noticeColumns(reader.actor, seesWork(reader))}`

const claimKind = ({ actor }: Reader, sees: Condition) => sql<ClaimFilter | null>`CASE
  WHEN status <> 'OPEN' OR NOT ${sees} THEN NULL
  WHEN holder IS NULL THEN 'unassigned'
  WHEN holder = ${actor} THEN CASE WHEN case_snooze.case_id IS NULL THEN 'mine' ELSE 'snoozed' END
  ELSE 'others' END`

/** As `turnOf`; null where hidden, and for resolved cases. */
const turnKind = (sees: Condition) => sql<TurnFilter | null>`CASE
  WHEN status = 'RESOLVED' OR NOT ${sees} THEN NULL
  WHEN case_thread.read_at > 0 IS NOT TRUE THEN 'unknown'
  WHEN coalesce(case_thread.last_author = lower(raised_by COLLATE "C")
    OR case_thread.last_author = lower(counterparty COLLATE "C"), true) THEN 'us'
  ELSE 'party' END`

const seesWork = ({ userId, seesClaims }: Reader): Condition =>
  seesClaims ? sql<boolean>`(NOT ${isOwnCase(userId)})` : sql<boolean>`false`

/** `me`: a user id in lower case. */
export const isUnreadBy = (me: unknown, sees: Condition): Condition =>
  sql<boolean>`(status <> 'RESOLVED' AND case_thread.read_at > 0 AND ${sees}
    AND CASE WHEN case_thread.last_author = ${me} THEN case_thread.other_key ELSE case_thread.last_key END
      > coalesce(case_reader.last_key, ''))`

const isUnread = ({ userId }: Reader, sees: Condition): Condition => isUnreadBy(userId.toLowerCase(), sees)

const threadIs = ({ turn, unread, notice }: QueueFilter, reader: Reader): Condition =>
  all(
    notice === null ? always : noticeIs(notice, reader.actor, seesWork(reader)),
    turn === null ? always : sql<boolean>`${turnKind(seesWork(reader))} = ${turn}`,
    unread ? isUnread(reader, seesWork(reader)) : always,
  )

const assigneeIs = (assignee: string | null, { userId, seesClaims }: Reader): Condition =>
  assignee === null
    ? always
    : sql<boolean>`(${seesClaims}::boolean AND status = 'OPEN' AND NOT ${isOwnCase(userId)} AND EXISTS (
        SELECT 1 FROM case_claim WHERE case_id = case_index.id_key AND holder = ${assignee}))`

const categoryIs = ({ category }: QueueFilter, reader: Reader): Condition =>
  category === null
    ? always
    : all(
        seesWork(reader),
        sql<boolean>`EXISTS (SELECT 1 FROM case_decision WHERE case_id = id_key AND category_id = ${category})`,
      )

/** PostgreSQL drops joins that a query does not use. */
const withThreads = ({ actor }: Reader, cases = sql`case_index`) => sql`${cases}
  LEFT JOIN case_thread ON case_thread.case_id = id_key
  LEFT JOIN case_reader ON case_reader.case_id = id_key AND case_reader.actor = ${actor}
  LEFT JOIN case_amount ON case_amount.reference = case_index.reference
  LEFT JOIN case_decision ON case_decision.case_id = id_key`

const STALE_MAX = 50
const TRY_AGAIN = '10 minutes'

/** An amount that was not read matches no filter. */
function amountIs({ amountFrom, amountTo }: QueueFilter, { seesAmounts }: Reader): Condition {
  if (amountFrom === null && amountTo === null) return always
  const least = amountFrom === null ? always : sql<boolean>`amount >= ${amountFrom}::numeric`
  const most = amountTo === null ? always : sql<boolean>`amount <= ${amountTo}::numeric`
  return sql<boolean>`(${seesAmounts}::boolean AND ${least} AND ${most}) IS TRUE`
}

const isOfList = ({ list }: QueueFilter): Condition => (list === 'ALL' ? always : sql<boolean>`status = ${list}`)

function isListed(filter: QueueFilter): Condition {
  const { party, text } = filter
  const ofParty = party === null ? always : isPartyIn(party)
  const withText = text === null ? always : sql<boolean>`position(lower(${text}) IN lower(reason)) > 0`
  return all(isOfList(filter), ofParty, withText)
}

export class CaseQuery {
  readonly #db: Kysely<Tables>
  readonly #filter: QueueFilter
  readonly #reader: Reader
  readonly #nowMs: number
  readonly #listed: Condition
  /** Without turn and unread. */
  readonly #placed: Condition
  readonly #wanted: Condition

  constructor(db: Kysely<Tables>, filter: QueueFilter, reader: Reader, nowMs = Date.now()) {
    this.#db = db
    this.#filter = filter
    this.#reader = reader
    this.#nowMs = nowMs
    this.#listed = all(isListed(filter), amountIs(filter, reader))
    const ofClaim = claimIs(filter.claim, reader, nowMs)
    this.#placed = all(this.#listed, ageIs(filter.age, nowMs), ofClaim, assigneeIs(filter.assignee, reader))
    this.#wanted = all(this.#placed, categoryIs(filter, reader), threadIs(filter, reader))
  }

  /** `from` counts from 0. With `total`, the second half is read from the end, which is faster. */
  async rows(from: number, limit: number, total = 0, also: Condition = always): Promise<readonly ClaimedCase[]> {
    const fromEnd = from > total / 2 && from < total
    const order = this.#order()
    const places = fromEnd
      ? sql`ORDER BY ${this.#order(true)} LIMIT ${Math.min(limit, total - from)} OFFSET ${Math.max(0, total - from - limit)}`
      : sql`ORDER BY ${order} LIMIT ${limit} OFFSET ${from}`
    // Sorts keys only; whole rows of a long list exceed the sort memory.
    const { rows } = await sql<ClaimedCase>`
      SELECT case_index.*, ${claimColumns(this.#reader)}
      FROM (SELECT id_key FROM ${withThreads(this.#reader)} WHERE ${all(this.#wanted, also)} ${places}) AS found
      JOIN (${withThreads(this.#reader)}) USING (id_key) ${this.#withClaims()} ORDER BY ${order}`.execute(this.#db)
    return rows
  }

  /** By age: the case, up to `before` cases before it, and those after it. */
  async rowsAround(caseId: string, before: number, limit: number): Promise<readonly ClaimedCase[]> {
    const here = sql`(SELECT found.created_key, found.id_key FROM case_index AS found WHERE found.id_key = ${caseId.toLowerCase()})`
    const filter = sql`SELECT id_key FROM ${withThreads(this.#reader)} WHERE ${this.#wanted} AND (created_key, id_key)`
    const { rows } = await sql<ClaimedCase>`
      SELECT case_index.*, ${claimColumns(this.#reader)}
      FROM ((${filter} < ${here} ORDER BY created_key DESC, id_key DESC LIMIT ${before})
        UNION ALL (${filter} >= ${here} ORDER BY created_key, id_key LIMIT ${limit})) AS around
      JOIN (${withThreads(this.#reader)}) USING (id_key) ${this.#withClaims()}
      ORDER BY created_key, id_key LIMIT ${limit}`.execute(this.#db)
    return rows
  }

  async among(keys: readonly string[]): Promise<readonly ClaimedCase[]> {
    if (keys.length === 0) return []
    const { rows } = await sql<ClaimedCase>`
      SELECT case_index.*, ${claimColumns(this.#reader)} FROM ${withThreads(this.#reader)} ${this.#withClaims()}
      WHERE id_key = ANY(${keys}::text[]) AND ${this.#wanted}`.execute(this.#db)
    return rows
  }

  /** Also counts the matches for every other choice of one filter. `ofThreads` takes most of the time. */
  async counts(ofThreads = true): Promise<QueueCounts & { readonly total: number }> {
    const sees = sql<boolean>`sees`
    const withCategories = this.#filter.list !== 'OPEN'
    const age = ageKind(this.#nowMs)
    const { party, text, amountFrom, amountTo } = this.#filter
    const isSearched = [party, text, amountFrom, amountTo].some((part) => part !== null)
    const listed = isSearched
      ? sql`(SELECT created_key, status, 1 AS count FROM ${withThreads(this.#reader)} WHERE ${this.#listed})`
      : countedByDay(this.#nowMs)
    // OFFSET 0: computed once for each case, and known cases are found before the joins.
    const known = sql`(SELECT * FROM case_index WHERE ${this.#isKnown(ofThreads)} OFFSET 0) AS case_index`
    const { rows } = await sql<CountedGroup>`
      SELECT NULL AS claim, NULL AS turn, false AS unread, NULL AS assignee, false AS mentioned, false AS watching,
        NULL AS category, ${age} AS age, status, NULL AS name, NULL AS "awayUntil", sum(count)::bigint AS count, false AS known
      FROM ${listed} AS listed WHERE ${isOfList(this.#filter)} GROUP BY age, status
      UNION ALL
      SELECT ${claimKind(this.#reader, sees)}, ${ofThreads ? turnKind(sees) : sql`NULL`},
        ${ofThreads ? sql`coalesce(${isUnread(this.#reader, sees)}, false)` : sql`false`}, holder,
        ${noticeColumns(this.#reader.actor, sees)},
        ${withCategories ? sql`CASE WHEN sees THEN category_id END` : sql`NULL`},
        ${age} AS age, status, max(holder_name), max(absence.until), count(*), true
      FROM ${withThreads(this.#reader, known)} ${this.#withClaims()}
        CROSS JOIN LATERAL (SELECT ${seesWork(this.#reader)} AS sees OFFSET 0) AS work
        LEFT JOIN absence ON absence.actor = holder AND ${isAway()}
      WHERE ${this.#listed} GROUP BY 1, 2, 3, 4, 5, 6, 7, age, status`.execute(this.#db)
    const found = countsIn(rows, this.#filter, this.#reader, withCategories ? await listCategories(this.#db) : null)
    const counted = { ...found, assignees: await this.#withChosen(found.assignees) }
    return ofThreads ? counted : { ...counted, turns: null, unread: null }
  }

  /** Whether the store knows more of a case than its entry in the list. Such cases are few. */
  #isKnown(ofThreads: boolean): Condition {
    const { userId, actor, seesClaims } = this.#reader
    if (!seesClaims) return sql<boolean>`false`
    return sql<boolean>`id_key IN (SELECT case_id FROM case_claim
      UNION SELECT case_id FROM case_mention WHERE actor = ${actor} AND seen_at IS NULL
      UNION SELECT case_id FROM case_watch WHERE actor = ${actor}
      UNION SELECT id_key FROM case_index WHERE ${isPartyIn(userId)}
      ${this.#filter.list === 'OPEN' ? sql`` : sql`UNION SELECT case_id FROM case_decision`}
      ${ofThreads ? sql`UNION SELECT case_id FROM case_thread WHERE read_at > 0` : sql``})`
  }

  /** As {@link counts} where only an assignee narrows open cases: reads assigned ones alone. `open`: all open cases. */
  async claimCounts(open: number): Promise<QueueCounts & { readonly total: number }> {
    const hidden = { turns: null, unread: null, notices: null, assignees: null, categories: null, ages: null }
    const { claim } = this.#filter
    if (!this.#reader.seesClaims) return { ...hidden, claims: null, total: claim === null ? open : 0 }
    const { userId, actor } = this.#reader
    const { rows } = await sql<Record<'mine' | 'snoozed' | 'others' | 'parties', number>>`
      SELECT count(*) FILTER (WHERE holder = ${actor} AND case_snooze.case_id IS NULL) AS mine,
        count(*) FILTER (WHERE holder = ${actor} AND case_snooze.case_id IS NOT NULL) AS snoozed,
        count(*) FILTER (WHERE holder <> ${actor}) AS others,
        (SELECT count(*) FROM case_index WHERE status = 'OPEN' AND ${isPartyIn(userId)}) AS parties
      FROM case_claim JOIN case_index ON id_key = case_claim.case_id
        LEFT JOIN case_snooze ON case_snooze.case_id = id_key AND ${isSnoozed(this.#nowMs)}
      WHERE status = 'OPEN' AND NOT ${isOwnCase(userId)}`.execute(this.#db)
    const { mine = 0, snoozed = 0, others = 0, parties = 0 } = rows[0] ?? {}
    // `open` was read before: a case may have got its assignee meanwhile.
    const unassigned = Math.max(0, open - parties - mine - snoozed - others)
    const claims = { mine, snoozed, others, unassigned }
    return { ...hidden, claims, total: claim === null ? open : claims[claim] }
  }

  /** Adds the person of the filter if none of their cases matches. */
  async #withChosen(assignees: QueueCounts['assignees']): Promise<QueueCounts['assignees']> {
    const { assignee } = this.#filter
    if (assignees === null || assignee === null || assignees.some(({ actor }) => actor === assignee)) return assignees
    const { rows } = await sql<AssigneeCount>`
      SELECT candidate.actor, name, 0 AS count, absence.until AS "awayUntil" FROM case_candidate AS candidate
        LEFT JOIN absence ON absence.actor = candidate.actor AND ${isAway()}
      WHERE candidate.actor = ${assignee}`.execute(this.#db)
    return [...assignees, ...rows]
  }

  /** For a filter of unassigned cases. Cases not read here rank by target and age alone. `overTarget`: a creation key. */
  async mostUrgent(limit: number, overTarget: string): Promise<readonly UrgentCase[]> {
    const filter = sql`${this.#wanted} AND NOT ${isSnoozedCase(this.#nowMs)} AND NOT ${hasConflict(this.#reader.actor)}`
    // If the turn is ours, a party wrote last. Most cases are not read here: an index has their order.
    const byAge = sql`created_key, id_key`
    const byUrgency = sql`NOT over, turn <> 'us', over OR turn <> 'us' OR NOT unread, ${byAge}`
    const isNotRead = sql<boolean>`NOT EXISTS (SELECT FROM case_thread AS read WHERE read.case_id = id_key AND read.read_at > 0)`
    const ranked = (which: Condition, order: RawBuilder<unknown>) => sql`(
      SELECT id, created_at AS "createdAt", over, turn, unread, last_author IS NULL AS silent, created_key, id_key
      FROM ${withThreads(this.#reader)} CROSS JOIN LATERAL (
        SELECT created_key <= ${overTarget} AS over, ${turnKind(always)} AS turn,
          coalesce(case_thread.last_key > coalesce(case_reader.last_key, ''), false) AS unread OFFSET 0) AS work
      WHERE ${filter} AND ${which} ORDER BY ${order} LIMIT ${limit})`
    const { rows } = await sql<UrgentCase>`
      SELECT id, "createdAt", over, turn, unread, silent
      FROM (${ranked(sql`case_thread.read_at > 0`, byUrgency)} UNION ALL ${ranked(isNotRead, byAge)}) AS found
      ORDER BY ${byUrgency} LIMIT ${limit}`.execute(this.#db)
    return rows
  }

  async leastRecentlyRead(): Promise<readonly IndexedCase[]> {
    const { rows } = await sql<IndexedCase>`
      SELECT case_index.* FROM case_index JOIN (SELECT id_key FROM ${withThreads(this.#reader)}
        WHERE ${this.#placed} AND status = 'OPEN' AND ${seesWork(this.#reader)}
        ORDER BY case_thread.read_at NULLS FIRST LIMIT ${STALE_MAX}) AS stale USING (id_key)`.execute(this.#db)
    return rows
  }

  /** Cases that match apart from their amount, which is not known. */
  countUnreadAmounts(): Promise<number> {
    return this.#count(sql`${this.#withoutAmount()} AND amount IS NULL`)
  }

  /** References whose amount nobody has tried to read lately, oldest case first. */
  async amountsToRead(): Promise<readonly string[]> {
    const { rows } = await sql<{ reference: string }>`
      SELECT case_index.reference FROM ${withThreads(this.#reader)}
      WHERE ${this.#withoutAmount()} AND amount IS NULL
        AND (case_amount.read_at IS NULL OR case_amount.read_at < now() - ${TRY_AGAIN}::interval)
      ORDER BY created_key, id_key LIMIT ${STALE_MAX}`.execute(this.#db)
    return rows.map(({ reference }) => reference)
  }

  #withoutAmount(): Condition {
    const filter = { ...this.#filter, amountFrom: null, amountTo: null }
    return new CaseQuery(this.#db, filter, this.#reader, this.#nowMs).#wanted
  }

  arrivedAfter(arrival: number): Promise<number> {
    return this.#count(sql`arrival > ${arrival} AND ${this.#wanted}`)
  }

  async placeByAge(caseId: string): Promise<number | null> {
    const isWanted = (await this.among([caseId.toLowerCase()])).length > 0
    return isWanted ? await this.#countByAge(sql`<`, caseId) : null
  }

  /** Oldest first; 0 if the case is unknown. */
  countUpTo(caseId: string): Promise<number> {
    return this.#countByAge(sql`<=`, caseId)
  }

  #countByAge(compared: RawBuilder<unknown>, caseId: string): Promise<number> {
    const key = caseId.toLowerCase()
    return this.#count(sql`${this.#wanted} AND (created_key, id_key) ${compared} (
      SELECT found.created_key, found.id_key FROM case_index AS found WHERE found.id_key = ${key})`)
  }

  async #count(which: RawBuilder<unknown>): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      SELECT count(*) AS count FROM ${withThreads(this.#reader)} WHERE ${which}`.execute(this.#db)
    return rows[0]?.count ?? 0
  }

  #withClaims(): RawBuilder<unknown> {
    return sql`LEFT JOIN case_claim ON case_claim.case_id = id_key
      LEFT JOIN case_snooze ON case_snooze.case_id = id_key AND ${isSnoozed(this.#nowMs)}`
  }

  #order(fromEnd = false): RawBuilder<unknown> {
    const { list, sort } = this.#filter
    const usual = list === 'RESOLVED' ? { column: 'resolved', descending: true } : { column: 'age', descending: true }
    const { column, descending } = sort ?? usual
    const way = (goesUp: boolean) => sql.raw(goesUp === fromEnd ? 'DESC' : 'ASC')
    const oldestFirst = sql`created_key ${way(true)}, id_key ${way(true)}`
    switch (column) {
      case 'resolved':
        return sql`resolved_key ${way(!descending)}, id_key ${way(!descending)}`
      case 'status':
        return sql`status ${way(!descending)}, ${oldestFirst}`
      case 'last':
        return sql`CASE WHEN ${seesWork(this.#reader)} AND case_thread.read_at > 0 THEN case_thread.last_key END
          ${way(!descending)} NULLS ${sql.raw(fromEnd ? 'FIRST' : 'LAST')}, ${oldestFirst}`
      case 'amount':
        return sql`CASE WHEN ${this.#reader.seesAmounts}::boolean THEN amount END
          ${way(!descending)} NULLS ${sql.raw(fromEnd ? 'FIRST' : 'LAST')}, ${oldestFirst}`
      case 'outcome':
        return sql`outcome ${way(!descending)} NULLS ${sql.raw(fromEnd ? 'FIRST' : 'LAST')}, ${oldestFirst}`
      default:
        return sql`created_key ${way(descending)}, id_key ${way(descending)}`
    }
  }
}
