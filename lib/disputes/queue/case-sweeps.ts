import 'server-only'
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { config } from '#lib/config/config.ts'
import { errorName, log } from '#lib/config/log.ts'
import { bootId, isShuttingDown, perProcess } from '#lib/config/per-process.ts'
import { PAGE_SIZE_MAX } from '#lib/contract/endpoint.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { type CasePage, listCases } from '#lib/disputes/dispute-service.ts'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import type { Result } from '#lib/service/client.ts'
import type { Session } from '#lib/session/session.ts'
import { databaseNow, store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { adminViewOf, dropUnseenSince, recordCases, upsertCases } from './case-index.ts'
import type { IndexState, Shortfall } from './queue.ts'

const SWEEP_EVERY_MS = 30_000
const PAUSE_MS = 15_000
const LOOK_EVERY_MS = 100

export const readCasePage = (session: Session, page: number): Promise<Result<CasePage>> =>
  listCases(session, { all: true, status: null, page, pageSize: PAGE_SIZE_MAX })

export const readableIn = ({ cases }: CasePage): readonly ThreadCase[] =>
  cases.flatMap((row) => (row.readable ? [row.value] : []))

const here = () => ({ boot: bootId(), alone: !config().databaseUrl.startsWith('postgres') })

export const sweepsNow = async (): Promise<SweepState> => await sweepState(await store(), here())

/** Starts a sweep if one is due; one runs at a time across processes. A list of one page is done on return. */
export async function sweepFrom(session: Session, first: CasePage, readAt: string): Promise<void> {
  const isWhole = first.totalCount <= PAGE_SIZE_MAX
  const token = randomUUID()
  const begun = (isWhole || isDue(await sweepsNow())) && (await beginSweep(await store(), { token, ...here() }))
  if (!begun) return await recordCases(readableIn(first), readAt)
  latestHere().atMs = performance.now()
  const running = runSweep(session, token, { page: first, readAt })
  if (isWhole) await running
}

export async function waitForSweep(atMostMs: number): Promise<void> {
  for (let waited = 0; waited < atMostMs; waited += LOOK_EVERY_MS) {
    if ((await sweepsNow()).reading === null) return
    await wait(LOOK_EVERY_MS)
  }
}

function isDue({ reading, shortfall, beganAt, endedAt }: SweepState): boolean {
  if (reading !== null) return false
  if (shortfall !== null || beganAt === null || endedAt === null) return true
  const [sinceBegun, sinceEnded] = [Date.now() - Date.parse(beganAt), Date.now() - Date.parse(endedAt)]
  // Another process's clock is or was ahead.
  if (sinceBegun < 0 || sinceEnded < 0) return performance.now() - latestHere().atMs >= SWEEP_EVERY_MS
  return sinceBegun >= SWEEP_EVERY_MS && sinceEnded >= PAUSE_MS
}

const latestHere = () => perProcess('latest sweep', () => ({ atMs: Number.NEGATIVE_INFINITY }))

/** Never rejects. If the store is down, the lease expires. */
async function runSweep(session: Session, token: string, first: FirstPage): Promise<void> {
  try {
    const db = await store()
    // Checked on each pass, because a person who loses admin view silently gets only their own cases.
    let isEverybodys = false
    const keepPage = async (page: number, found: CasePage, readAt: string) => {
      if (isShuttingDown()) return false
      if (page === 1) isEverybodys = false
      isEverybodys ||= adminViewOf(session.userId, readableIn(found)) === 'proved'
      await upsertCases(readableIn(found), readAt, { onlyChanged: true })
      return await recordSweptPage(db, token, { page, readAt, total: found.totalCount })
    }
    const sweep = await sweepCases((page) => readCasePage(session, page), keepPage, first)
    if (sweep === null) return
    const shortfall = sweep.shortfall ?? (isEverybodys ? null : 'moved')
    if (shortfall === null) await dropUnseenSince(db, sweep.beganAt, sweep.met)
    // Another session must not be told that its session ended.
    const problem = sweep.problem?.kind === 'session-over' ? null : sweep.problem
    await endSweep(db, token, { ...sweep, shortfall, problem })
  } catch (error) {
    log().error({ event: 'case-sweep', error: errorName(error) })
  }
}

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
export async function recordSweptPage(
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

/** An incomplete sweep keeps the last complete result. */
export async function endSweep(
  db: Kysely<Tables>,
  token: string,
  { shortfall, problem, unreadable }: Pick<Sweep, 'shortfall' | 'problem' | 'unreadable'>,
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

const AT_ONCE = 3
const READINGS_MAX = 2

export interface Sweep {
  readonly beganAt: string
  /** Ids in lower case. */
  readonly met: ReadonlySet<string>
  readonly total: number | null
  readonly unreadable: number
  readonly shortfall: Shortfall | null
  readonly problem: Problem | null
}

export type ReadCasePage = (page: number) => Promise<Result<CasePage>>

interface FirstPage {
  readonly page: CasePage
  readonly readAt: string
}

/** False if another process took the sweep over. */
type KeepCasePage = (page: number, found: CasePage, readAt: string) => Promise<boolean>

/** Complete with as many distinct cases as last reported; new cases move others, so a second pass looks for them. */
export async function sweepCases(
  readPage: ReadCasePage,
  keepPage: KeepCasePage,
  first: FirstPage | null = null,
): Promise<Sweep | null> {
  let tally = new Tally(first?.readAt)
  for (let readings = 0; readings < READINGS_MAX; readings += 1) {
    if (tally.shrank || tally.unreadable > 0) tally = new Tally()
    const end = await readPages(tally, readPage, keepPage, readings === 0 ? first : null)
    if (end === 'taken over') return null
    if (end !== null) return tally.ended('problem', end)
    if (tally.isWhole()) return tally.ended(null)
  }
  return tally.ended('moved')
}

async function readPages(
  tally: Tally,
  readPage: ReadCasePage,
  keepPage: KeepCasePage,
  first: FirstPage | null,
): Promise<Problem | 'taken over' | null> {
  const again = tally.total !== null
  let next = 1
  let stopped: Problem | 'taken over' | null = null
  const isOver = () => stopped !== null || (again && tally.unreadable === 0 && tally.isWhole())
  const keep = async (page: number, found: CasePage, readAt: string) => {
    tally.add(page, found)
    if (!(await keepPage(page, found, readAt))) stopped = 'taken over'
  }
  const readNext = async () => {
    const page = next
    next += 1
    const readAt = new Date().toISOString()
    const result = await readPage(page)
    if (result.ok) await keep(page, result.value, readAt)
    else stopped ??= result.problem
  }
  if (first === null) await readNext()
  else await keep(next++, first.page, first.readAt)
  const readOn = async () => {
    while (next <= tally.pages && !isOver()) await readNext()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, readOn))
  return stopped
}

class Tally {
  total: number | null = null
  /** The service reported fewer cases than before, so some moved to earlier pages unseen. */
  shrank = false
  readonly #beganAt: string
  readonly #met = new Set<string>()
  readonly #unreadable = new Map<number, number>()
  #pagesMax = Number.POSITIVE_INFINITY

  constructor(beganAt = new Date().toISOString()) {
    this.#beganAt = beganAt
  }

  add(page: number, { cases, totalCount }: CasePage): void {
    this.shrank ||= this.total !== null && totalCount < this.total
    this.total = totalCount
    for (const row of cases) if (row.readable) this.#met.add(row.value.id.toLowerCase())
    this.#unreadable.set(page, cases.filter(({ readable }) => !readable).length)
    // The service may report more cases than it returns.
    if (cases.length === 0) this.#pagesMax = Math.min(this.#pagesMax, page)
  }

  get pages(): number {
    return Math.min(this.#pagesMax, Math.ceil((this.total ?? 0) / PAGE_SIZE_MAX))
  }

  get unreadable(): number {
    return this.#unreadable.values().reduce((sum, count) => sum + count, 0)
  }

  isWhole(): boolean {
    return !this.shrank && this.#met.size + this.unreadable === this.total
  }

  ended(shortfall: Shortfall | null, problem: Problem | null = null): Sweep {
    const { total, unreadable } = this
    return { beganAt: this.#beganAt, met: this.#met, total, unreadable, shortfall, problem }
  }
}
