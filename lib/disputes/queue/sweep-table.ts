import 'server-only'
import { type Kysely, sql } from 'kysely'
import type { Problem } from '#lib/contract/problem.ts'
import { PAGE_SIZE_MAX } from '#lib/contract/wire.ts'
import { databaseNow } from '#lib/store/database-now.ts'
import type { Tables } from '#lib/store/tables.ts'
import type { IndexState, Shortfall } from './queue.ts'

/** A process that shows no sign of life for this long has lost its sweep. Longer than a page takes with its repetitions. */
const LEASE_SECONDS = 30

const leaseEnd = sql<number>`${databaseNow} + ${LEASE_SECONDS}`

interface NewSweep {
  /** Names this sweep: a writer with another token no longer holds the lease. */
  readonly token: string
  readonly boot: string
  /** No other process can have this store open, so every other process is dead. */
  readonly alone: boolean
}

/** Takes the one place for a sweep. False while another one is under way. */
export async function beginSweep(db: Kysely<Tables>, { token, boot, alone }: NewSweep): Promise<boolean> {
  const begun = { token, boot, lease_until: leaseEnd, began_at: new Date().toISOString() }
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('case_sweep')
    .values({ one: 1, unreadable: 0, ...begun })
    .onConflict((conflict) =>
      conflict
        .column('one')
        .doUpdateSet(begun)
        .where((row) =>
          row.or([
            row('case_sweep.token', 'is', null),
            row('case_sweep.lease_until', '<', databaseNow),
            ...(alone ? [row('case_sweep.boot', '!=', boot)] : []),
          ]),
        ),
    )
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Notes that a page was read, and of how many cases it told; keeps the lease. False when that is lost. */
export async function noteSweptPage(
  db: Kysely<Tables>,
  token: string,
  { page, readAt, total }: { readonly page: number; readonly readAt: string; readonly total: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('case_sweep')
    .set({ lease_until: leaseEnd, total })
    .where('token', '=', token)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await db
    .insertInto('case_page')
    .values({ page, read_at: readAt, token })
    .onConflict((conflict) => conflict.column('page').doUpdateSet({ read_at: readAt, token }))
    .execute()
  return true
}

interface SweepEnd {
  readonly shortfall: Shortfall | null
  readonly problem: Problem | null
  readonly unreadable: number
}

/** Gives the place back, with what came of it. A sweep that is not complete leaves what is known of the one before. */
export async function endSweep(
  db: Kysely<Tables>,
  token: string,
  { shortfall, problem, unreadable }: SweepEnd,
): Promise<void> {
  const endedAt = new Date().toISOString()
  await db
    .updateTable('case_sweep')
    .set({
      ...{ token: null, boot: null, lease_until: null, ended_at: endedAt, shortfall },
      problem: problem === null ? null : JSON.stringify(problem),
      ...(shortfall === null ? { complete_at: endedAt, unreadable } : {}),
    })
    .where('token', '=', token)
    .execute()
  // Pages that the list has no more.
  if (shortfall === null) await db.deleteFrom('case_page').where('token', '<>', token).execute()
}

/** {@link IndexState}, and what it takes to decide whether another sweep is due. */
export interface SweepState extends IndexState {
  readonly beganAt: string | null
  readonly endedAt: string | null
  /** Rows that the latest complete one could not read. */
  readonly unreadable: number
}

const NOTHING: SweepState = {
  ...{ beganAt: null, endedAt: null, unreadable: 0 },
  ...{ completeAt: null, oldestReadAt: null, newestReadAt: null, reading: null, shortfall: null, problem: null },
}

/** What is known of sweeps. `alone` and `boot` as in {@link NewSweep}: they tell a sweep whose process is dead. */
export async function sweepState(db: Kysely<Tables>, { boot, alone }: Omit<NewSweep, 'token'>): Promise<SweepState> {
  const row = await db
    .selectFrom('case_sweep')
    .select(['token', 'total', 'began_at', 'ended_at', 'shortfall', 'problem', 'complete_at', 'unreadable'])
    .select(
      sql<boolean>`coalesce(lease_until >= ${databaseNow} AND NOT (${alone}::boolean AND boot <> ${boot}), false)`.as(
        'runs',
      ),
    )
    .select(({ selectFrom }) => [
      selectFrom('case_page')
        .select(({ fn }) => fn.min('read_at').as('at'))
        .as('oldest'),
      selectFrom('case_page')
        .select(({ fn }) => fn.max('read_at').as('at'))
        .as('newest'),
      selectFrom('case_page')
        .whereRef('case_page.token', '=', 'case_sweep.token')
        .select(({ fn }) => fn.countAll<number>().as('pages'))
        .as('pages'),
    ])
    .executeTakeFirst()
  if (row === undefined) return NOTHING
  const of = Math.max(1, Math.ceil((row.total ?? 0) / PAGE_SIZE_MAX))
  return {
    beganAt: row.began_at,
    endedAt: row.ended_at,
    unreadable: row.unreadable,
    completeAt: row.complete_at,
    oldestReadAt: row.oldest,
    newestReadAt: row.newest,
    reading: row.runs ? { pages: row.pages ?? 0, of } : null,
    shortfall: row.shortfall,
    problem: row.problem === null ? null : (JSON.parse(row.problem) as Problem),
  }
}
