import 'server-only'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { isSnoozed } from '#lib/disputes/workspace/workspace-tables.ts'
import type { Tables } from '#lib/store/tables.ts'
import { type IndexedCase, isPartyIn } from './case-index.ts'
import { type AgeId, ageKeys, ages, type ClaimFilter, type QueueCounts, type QueueFilter } from './queue.ts'

export interface Reader {
  readonly userId: string
  readonly actor: string
  /** The claim of a case in which the reader is a party stays hidden anyway. */
  readonly seesClaims: boolean
}

export type ClaimedCase = IndexedCase & {
  readonly holder: string | null
  readonly holder_name: string | null
  readonly snoozed: boolean
  readonly until: string | null
}

type Condition = RawBuilder<boolean>

const always: Condition = sql<boolean>`true`
const both = (one: Condition, other: Condition): Condition => sql<boolean>`(${one} AND ${other})`

function ageIs(age: AgeId | null, nowMs: number): Condition {
  if (age === null) return always
  const { after, upTo } = ageKeys(age, nowMs)
  const younger = after === null ? always : sql<boolean>`created_key > ${after}`
  return both(younger, upTo === null ? always : sql<boolean>`created_key <= ${upTo}`)
}

/** Only open cases have a claim. A hidden claim matches no filter, so that counts do not reveal it. */
function claimIs(claim: ClaimFilter | null, { userId, actor, seesClaims }: Reader, nowMs: number): Condition {
  if (claim === null) return always
  if (!seesClaims) return sql<boolean>`false`
  const known = sql<boolean>`(status = 'OPEN' AND NOT ${isPartyIn(userId)})`
  const claimed = (how: Condition) =>
    sql<boolean>`EXISTS (SELECT 1 FROM case_claim WHERE case_id = case_index.id_key AND ${how})`
  const snoozed = sql<boolean>`EXISTS (
    SELECT 1 FROM case_snooze WHERE case_id = case_index.id_key AND ${isSnoozed(nowMs)})`
  switch (claim) {
    case 'mine':
      return both(known, both(claimed(sql`holder = ${actor}`), sql<boolean>`NOT ${snoozed}`))
    case 'snoozed':
      return both(known, both(claimed(sql`holder = ${actor}`), snoozed))
    case 'unassigned':
      return both(known, sql<boolean>`NOT ${claimed(always)}`)
    case 'others':
      return both(known, claimed(sql`holder <> ${actor}`))
  }
}

const claimColumns = sql`holder, holder_name, case_snooze.case_id IS NOT NULL AS snoozed, until`

const ageKind = (nowMs: number) => {
  const whens = ages.flatMap(({ id }) => {
    const { after } = ageKeys(id, nowMs)
    return after === null ? [] : [sql`WHEN created_key > ${after} THEN ${id}`]
  })
  return sql<AgeId>`CASE ${sql.join(whens, sql` `)} ELSE 'older' END`
}
const claimKind = ({ userId, actor }: Reader) => sql<ClaimFilter | null>`CASE
  WHEN status <> 'OPEN' OR ${isPartyIn(userId)} THEN NULL
  WHEN holder IS NULL THEN 'unassigned'
  WHEN holder = ${actor} THEN CASE WHEN case_snooze.case_id IS NULL THEN 'mine' ELSE 'snoozed' END
  ELSE 'others' END`

function isListed({ list, party, text }: QueueFilter): Condition {
  const ofList = list === 'ALL' ? always : sql<boolean>`status = ${list}`
  const ofParty = party === null ? always : isPartyIn(party)
  const withText = text === null ? always : sql<boolean>`position(lower(${text}) IN lower(reason)) > 0`
  return both(ofList, both(ofParty, withText))
}

export class CaseQuery {
  readonly #db: Kysely<Tables>
  readonly #filter: QueueFilter
  readonly #reader: Reader
  readonly #nowMs: number
  readonly #wanted: Condition

  constructor(db: Kysely<Tables>, filter: QueueFilter, reader: Reader, nowMs = Date.now()) {
    this.#db = db
    this.#filter = filter
    this.#reader = reader
    this.#nowMs = nowMs
    this.#wanted = both(isListed(filter), both(ageIs(filter.age, nowMs), claimIs(filter.claim, reader, nowMs)))
  }

  /** `from` counts from 0. With `total`, the second half is read from the end, which is faster. */
  async rows(from: number, limit: number, total = 0): Promise<readonly ClaimedCase[]> {
    const fromEnd = from > total / 2 && from < total
    const order = this.#order()
    const places = fromEnd
      ? sql`ORDER BY ${this.#order(true)} LIMIT ${Math.min(limit, total - from)} OFFSET ${Math.max(0, total - from - limit)}`
      : sql`ORDER BY ${order} LIMIT ${limit} OFFSET ${from}`
    // Sorts keys only; whole rows of a long list exceed the sort memory.
    const { rows } = await sql<ClaimedCase>`
      SELECT case_index.*, ${claimColumns}
      FROM (SELECT id_key FROM case_index WHERE ${this.#wanted} ${places}) AS found JOIN case_index USING (id_key)
      ${this.#withClaims()} ORDER BY ${order}`.execute(this.#db)
    return rows
  }

  async among(keys: readonly string[]): Promise<readonly ClaimedCase[]> {
    if (keys.length === 0) return []
    const { rows } = await sql<ClaimedCase>`
      SELECT case_index.*, ${claimColumns} FROM case_index ${this.#withClaims()}
      WHERE id_key = ANY(${keys}::text[]) AND ${this.#wanted}`.execute(this.#db)
    return rows
  }

  /** Also counts the matches for every other choice of one filter. */
  async counts(): Promise<QueueCounts & { readonly total: number }> {
    const { rows } = await sql<{ age: AgeId; claim: ClaimFilter | null; count: number }>`
      SELECT ${ageKind(this.#nowMs)} AS age, ${claimKind(this.#reader)} AS claim, count(*) AS count
      FROM case_index ${this.#withClaims()}
      WHERE ${isListed(this.#filter)} GROUP BY 1, 2`.execute(this.#db)
    const wanted = this.#filter
    const { seesClaims } = this.#reader
    const countOf = (age: AgeId | null, claim: ClaimFilter | null) =>
      rows
        .filter((row) => (age === null || row.age === age) && (claim === null || (seesClaims && row.claim === claim)))
        .reduce((sum, row) => sum + row.count, 0)
    const ofClaim = (claim: ClaimFilter) => countOf(wanted.age, claim)
    const ofAge = (age: AgeId) => countOf(age, wanted.claim)
    return {
      total: countOf(wanted.age, wanted.claim),
      ages: { day: ofAge('day'), three: ofAge('three'), week: ofAge('week'), older: ofAge('older') },
      claims: seesClaims
        ? {
            mine: ofClaim('mine'),
            snoozed: ofClaim('snoozed'),
            unassigned: ofClaim('unassigned'),
            others: ofClaim('others'),
          }
        : null,
    }
  }

  async arrivedAfter(arrival: number): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      SELECT count(*) AS count FROM case_index WHERE arrival > ${arrival} AND ${this.#wanted}`.execute(this.#db)
    return rows[0]?.count ?? 0
  }

  async placeByAge(caseId: string): Promise<number | null> {
    const key = caseId.toLowerCase()
    if ((await this.among([key])).length === 0) return null
    const { rows } = await sql<{ count: number }>`
      SELECT count(*) AS count FROM case_index
      WHERE ${this.#wanted}
        AND (created_key, id_key) < (SELECT found.created_key, found.id_key FROM case_index AS found WHERE found.id_key = ${key})`.execute(
      this.#db,
    )
    return rows[0]?.count ?? null
  }

  /** Oldest first; 0 if the case is unknown. */
  async countUpTo(caseId: string): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      SELECT count(*) AS count FROM case_index
      WHERE ${this.#wanted} AND (created_key, id_key) <= (
        SELECT found.created_key, found.id_key FROM case_index AS found WHERE found.id_key = ${caseId.toLowerCase()})`.execute(
      this.#db,
    )
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
      case 'outcome':
        return sql`outcome ${way(!descending)} NULLS ${sql.raw(fromEnd ? 'FIRST' : 'LAST')}, ${oldestFirst}`
      default:
        return sql`created_key ${way(descending)}, id_key ${way(descending)}`
    }
  }
}

export async function countByStatus(db: Kysely<Tables>): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('case_index')
    .select(['status', ({ fn }) => fn.countAll<number>().as('count')])
    .groupBy('status')
    .execute()
  return new Map(rows.map(({ status, count }) => [status, count]))
}

/** `version` counts the finished transactions of the database: it only grows and is the same for all processes. */
export async function latestInIndex(
  db: Kysely<Tables>,
): Promise<{ readonly arrival: number; readonly version: number }> {
  const { rows } = await sql<{ arrival: number | null; version: number }>`
    SELECT (SELECT max(arrival) FROM case_index) AS arrival,
      pg_snapshot_xmax(now)::text::bigint - (SELECT count(*) FROM pg_snapshot_xip(now)) AS version
    FROM pg_current_snapshot() AS now`.execute(db)
  return { arrival: rows[0]?.arrival ?? 0, version: rows[0]?.version ?? 0 }
}
