import 'server-only'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '#lib/store/tables.ts'

/** A holder that shows no sign of life for this long has lost its work. */
const LEASE_SECONDS = 20

const now = sql<number>`extract(epoch FROM clock_timestamp())::double precision`
const leaseEnd = sql<number>`(extract(epoch FROM clock_timestamp()) + ${LEASE_SECONDS})::double precision`

interface NewWork {
  readonly work: 'look' | 'confirm'
  /** Names this run; whoever has another one holds nothing. */
  readonly token: string
  readonly boot: string
  /** Who started it, for others to read. */
  readonly by: string
  readonly total: number
  /** No other process can have this store open, so every other process is dead. */
  readonly alone: boolean
}

/** Takes the one place for work on a statement. False while somebody else has it. */
export async function beginWork(db: Kysely<Tables>, id: string, work: NewWork): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('statement')
    .set({
      work: work.work,
      work_token: work.token,
      work_boot: work.boot,
      work_by: work.by,
      work_until: leaseEnd,
      work_done: 0,
      work_total: work.total,
      work_stop: false,
      work_ended: null,
      work_wants_code: false,
      work_runs: sql`work_runs + 1`,
    })
    .where('id', '=', id)
    .where('discarded_at', 'is', null)
    .where((row) =>
      row.or([
        row('work', 'is', null),
        row('work_until', '<', now),
        ...(work.alone ? [row('work_boot', '!=', work.boot)] : []),
      ]),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Keeps the lease, and says how far the work is. `lost`: somebody else has it; `stop`: somebody wants it to end. */
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

/** Gives the place back, with how it ended. */
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
      work_ended: ended,
      work_wants_code: wantsCode,
    })
    .where('id', '=', id)
    .where('work_token', '=', token)
    .execute()
}

/** Asks the work to end after the line it is at. */
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
  readonly work_done: number
  readonly work_total: number
  readonly work_stop: boolean
  readonly work_ended: string | null
  readonly work_wants_code: boolean
  readonly work_runs: number
  /** False when whoever held it is gone: it can be taken up again. */
  readonly alive: boolean
}

/** Undefined when there is no such statement. */
export function findWork(
  db: Kysely<Tables>,
  id: string,
  { boot, alone }: { readonly boot: string; readonly alone: boolean },
): Promise<WorkRow | undefined> {
  return db
    .selectFrom('statement')
    .select(['work', 'work_by', 'work_done', 'work_total', 'work_stop', 'work_ended', 'work_wants_code', 'work_runs'])
    .select(
      sql<boolean>`coalesce(work_until >= ${now} AND NOT (${alone}::boolean AND work_boot <> ${boot}), false)`.as(
        'alive',
      ),
    )
    .where('id', '=', id)
    .executeTakeFirst()
}
