import 'server-only'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '#lib/store/tables.ts'
import { databaseNow } from '#lib/store/transaction.ts'

/** Without a heartbeat for this long, the process loses the work. */
const LEASE_SECONDS = 20

const leaseEnd = sql<number>`${databaseNow} + ${LEASE_SECONDS}`

/** Another process usually takes over an expired lookup in this time, so a page shows it as running. */
const TAKEN_UP_WITHIN_SECONDS = 5

/** `all`: also lines whose transaction may have changed. */
export type LookupScope = 'unread' | 'all'

interface NewWork extends Process {
  readonly work: 'look' | 'confirm'
  /** Fencing token: updates with an older one change nothing. */
  readonly token: string
  readonly by: string
  readonly total: number
  /** The session whose rights the lookup uses. */
  readonly look: { readonly session: string; readonly extent: LookupScope } | null
}

export interface Process {
  readonly boot: string
  /** An embedded store can be open in one process only, so another boot id means a dead process. */
  readonly alone: boolean
}

/** The process died or released the work. */
const isCutOff = ({ boot, alone }: Process) =>
  sql<boolean>`(work_until < ${databaseNow} OR (${alone}::boolean AND work_boot <> ${boot}))`

/** Takes the statement's only work slot and returns the run number; null if it is taken. */
export async function beginWork(db: Kysely<Tables>, id: string, work: NewWork): Promise<number | null> {
  const begun = await db
    .updateTable('statement')
    .set({
      work: work.work,
      work_token: work.token,
      work_boot: work.boot,
      work_by: work.by,
      work_session: work.look?.session ?? null,
      work_extent: work.look?.extent ?? null,
      work_until: leaseEnd,
      work_done: 0,
      work_total: work.total,
      work_stop: false,
      work_paused_until: null,
      work_ended: null,
      work_wants_code: false,
      work_runs: sql`work_runs + 1`,
    })
    .where('id', '=', id)
    .where('discarded_at', 'is', null)
    .where((row) => row.or([row('work', 'is', null), isCutOff(work)]))
    .returning('work_runs')
    .executeTakeFirst()
  return begun?.work_runs ?? null
}

export interface AbandonedLookup {
  readonly id: string
  readonly token: string
  readonly session: string
  readonly by: string
  readonly extent: LookupScope
  readonly done: number
  readonly total: number
  readonly run: number
  /** If the session ended, no process can continue the lookup. */
  readonly sessionLives: boolean
}

export async function findAbandonedLookups(db: Kysely<Tables>, process: Process): Promise<readonly AbandonedLookup[]> {
  const { rows } = await sql<AbandonedLookup>`
    SELECT id, work_token AS token, work_session AS session, work_by AS by, work_extent AS extent, work_done AS done,
      work_total AS total, work_runs AS run,
      EXISTS (SELECT 1 FROM session WHERE session.id = work_session) AS "sessionLives"
    FROM statement
    WHERE work = 'look' AND work_session IS NOT NULL AND discarded_at IS NULL AND ${isCutOff(process)}
    ORDER BY id`.execute(db)
  return rows
}

/** False if another process took it over or the holder lives. */
export async function claimAbandonedLookup(
  db: Kysely<Tables>,
  { id, token: before }: AbandonedLookup,
  { token, ...process }: Process & { readonly token: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('statement')
    .set({ work_token: token, work_boot: process.boot, work_until: leaseEnd, work_paused_until: null })
    .where('id', '=', id)
    .where('work_token', '=', before)
    .where('discarded_at', 'is', null)
    .where(isCutOff(process))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends the lease, so that another process can continue at once. */
export async function releaseWork(db: Kysely<Tables>, id: string, token: string, done: number): Promise<void> {
  await db
    .updateTable('statement')
    .set({ work_until: databaseNow, work_done: done })
    .where('id', '=', id)
    .where('work_token', '=', token)
    .execute()
}

export async function recordPause(db: Kysely<Tables>, id: string, token: string, until: string | null): Promise<void> {
  await db
    .updateTable('statement')
    .set({ work_paused_until: until })
    .where('id', '=', id)
    .where('work_token', '=', token)
    .execute()
}

/** Extends the lease. `lost`: another process holds it. `stop`: an operator asked to stop. */
export async function tickWork(
  db: Kysely<Tables>,
  id: string,
  token: string,
  done: number,
): Promise<'goes on' | 'stop' | 'lost'> {
  const row = await db
    .updateTable('statement')
    .set({ work_until: leaseEnd, work_done: done })
    .where('id', '=', id)
    .where('work_token', '=', token)
    .returning('work_stop')
    .executeTakeFirst()
  if (row === undefined) return 'lost'
  return row.work_stop ? 'stop' : 'goes on'
}

export async function endWork(
  db: Kysely<Tables>,
  id: string,
  token: string,
  { ended, done, wantsCode }: { readonly ended: string; readonly done: number; readonly wantsCode: boolean },
): Promise<void> {
  await db
    .updateTable('statement')
    .set({
      work_done: done,
      work: null,
      work_token: null,
      work_boot: null,
      work_until: null,
      work_session: null,
      work_extent: null,
      work_paused_until: null,
      work_ended: ended,
      work_wants_code: wantsCode,
    })
    .where('id', '=', id)
    .where('work_token', '=', token)
    .execute()
}

export async function askToStop(db: Kysely<Tables>, id: string): Promise<void> {
  await db
    .updateTable('statement')
    .set({ work_stop: true })
    .where('id', '=', id)
    .where('work', 'is not', null)
    .execute()
}

export interface WorkRow {
  readonly work: 'look' | 'confirm' | null
  readonly work_by: string | null
  readonly work_session: string | null
  readonly work_done: number
  readonly work_total: number
  readonly work_stop: boolean
  readonly work_paused_until: string | null
  readonly work_ended: string | null
  readonly work_wants_code: boolean
  readonly work_runs: number
  /** False if the process died. */
  readonly alive: boolean
}

export function findWork(db: Kysely<Tables>, id: string, { boot, alone }: Process): Promise<WorkRow | undefined> {
  return db
    .selectFrom('statement')
    .select([
      'work',
      'work_by',
      'work_session',
      'work_done',
      'work_total',
      'work_stop',
      'work_paused_until',
      'work_ended',
      'work_wants_code',
      'work_runs',
    ])
    .select(
      sql<boolean>`coalesce(
        work_until + CASE WHEN work_session IS NULL THEN 0 ELSE ${TAKEN_UP_WITHIN_SECONDS}::integer END >= ${databaseNow}
          AND NOT (${alone}::boolean AND work_boot <> ${boot}), false)`.as('alive'),
    )
    .where('id', '=', id)
    .executeTakeFirst()
}
