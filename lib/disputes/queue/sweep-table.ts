import 'server-only'
import { type Kysely, sql } from 'kysely'
import type { Problem } from '#lib/contract/problem.ts'
import { PAGE_SIZE_MAX } from '#lib/contract/wire.ts'
import type { Tables } from '#lib/store/tables.ts'
import { databaseNow } from '#lib/store/transaction.ts'
import type { IndexState, Shortfall } from './queue.ts'

/** Without a heartbeat for this long, the process loses the sweep. It exceeds the time for one page with retries. */
const LEASE_SECONDS = 30

const leaseEnd = sql<number>`${databaseNow} + ${LEASE_SECONDS}`

interface NewSweep {
  /** Fencing token: a writer with an older one has lost the lease. */
  readonly token: string
  readonly boot: string
  /** An embedded store can be open in one process only, so another boot id means a dead process. */
  readonly alone: boolean
}

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

/** Extends the lease. False if it is lost. */
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

/** An incomplete sweep keeps the last complete result. */
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
  if (shortfall === null) await db.deleteFrom('case_page').where('token', '<>', token).execute()
}

export interface SweepState extends IndexState {
  readonly beganAt: string | null
  readonly endedAt: string | null
  readonly unreadable: number
}

const NOTHING: SweepState = {
  ...{ beganAt: null, endedAt: null, unreadable: 0 },
  ...{ completeAt: null, oldestReadAt: null, newestReadAt: null, reading: null, shortfall: null, problem: null },
}

/** `alone` and `boot` as in {@link NewSweep}. */
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
