import 'server-only'
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { config } from '#lib/config/config.ts'
import { log } from '#lib/config/log.ts'
import { bootId, isShuttingDown, perProcess, steadyNow } from '#lib/config/per-process.ts'
import type { Session } from '#lib/session/session.ts'
import { runPeriodically } from '#lib/store/periodic.ts'
import { databaseNow, store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { visibleText } from '#lib/values/text.ts'

const TICK_EVERY_MS = 4_000
const TICK_DEADLINE_MS = 12_000

export interface Run {
  readonly statementId: string
  /** Also the batch id of the run's commands. */
  readonly token: string
  /** Unchanged if another process continues the run. */
  readonly number: number
  done: number
  /** True if the process is shutting down. */
  cut: boolean
  wantsCode: boolean
  /** False if the run was stopped or lost its lease. */
  goesOn(): Promise<boolean>
  pause(ms: number): Promise<boolean>
}

/** Keeps a promise running after the request has ended. */
export type Detach = (running: Promise<unknown>) => void

const here = (): Process => ({ boot: bootId(), alone: !config().databaseUrl.startsWith('postgres') })

/** Undefined if there is no such statement. */
export const workOn = async (statementId: string): Promise<WorkRow | undefined> =>
  await findWork(await store(), statementId, here())

export async function isWorkedOn(db: Kysely<Tables>, statementId: string): Promise<boolean> {
  const work = await findWork(db, statementId, here())
  return work?.work != null && work.alive
}

export async function stopWork(statementId: string, run: number): Promise<boolean> {
  const { numUpdatedRows } = await (await store())
    .updateTable('statement')
    .set({ work_stop: true })
    .where('id', '=', statementId)
    .where('work', 'is not', null)
    .where('work_runs', '=', run)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Not in names such as `jin.you` or Jin You. */
const YOU = /(?<![\p{L}\p{N}_@.-])(?:[Yy]our (\w+)|([Yy]ou are)|(?<!\p{Lu}[\p{L}'’-]* )You|you)\b(?![@.-]\w| \p{Lu})/gu

/** Other people read this text, so it must not say “you”. */
export function forEveryone(words: string, { displayName }: Pick<Session, 'displayName'>): string {
  const by = visibleText(displayName)
  return words.replace(YOU, (_you, owned, are) =>
    owned === undefined ? `${by}${are === undefined ? '' : ' is'}` : `the ${owned} of ${by}`,
  )
}

interface Job {
  readonly work: 'look' | 'confirm'
  readonly scope: LookupScope | null
  readonly total: number
  /** Returns how it ended; may be empty. */
  readonly run: (run: Run) => Promise<string>
}

/** Runs detached, one job per statement across processes. False if another job runs. */
export async function startWork(session: Session, statementId: string, job: Job, detach: Detach): Promise<boolean> {
  const token = randomUUID()
  const { work, scope, total } = job
  const look = scope === null ? null : { session: session.id, scope }
  const place = { work, token, by: session.displayName, total, look, ...here() }
  const number = await beginWork(await store(), statementId, place)
  if (number === null) return false
  detach(hold({ statementId, token, number, done: 0 }, job))
  return true
}

export const abandonedLookups = async (): Promise<readonly AbandonedLookup[]> =>
  await findAbandonedLookups(await store(), here())

export async function goOn(look: AbandonedLookup, job: Job): Promise<void> {
  const token = randomUUID()
  if (!(await claimAbandonedLookup(await store(), look, { token, ...here() }))) return
  const { id: statementId, run: number } = look
  void hold({ statementId, token, number, done: Math.max(0, look.total - job.total) }, job)
}

export async function endLook({ id, token, done }: AbandonedLookup, ended: string): Promise<void> {
  await endWork(await store(), id, token, { ended, done, wantsCode: false })
}

/** Shutdown waits for these. */
const underWay = () => perProcess('statement work', () => new Set<Promise<void>>())

export async function endStatementWork(): Promise<void> {
  await Promise.allSettled(underWay())
}

type Place = Pick<Run, 'statementId' | 'token' | 'number' | 'done'>

function hold(place: Place, job: Job): Promise<void> {
  const holding = holdTo(place, job)
    .catch(() => {})
    .finally(() => underWay().delete(holding))
  underWay().add(holding)
  return holding
}

/** If the service sends no Retry-After. */
const DEFAULT_PAUSE_MS = 30_000
const SHORTEST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 900_000
const PAUSE_CHECK_MS = 1_000
export const PAUSES_MAX = 12
/** The service counts as down after this many failures in a row. */
export const UNANSWERED_MAX = 4

/** The pause after a 429. The minimum doubles with each 429 for the same line. */
export const pauseMs = (seconds: number | null, pausesBefore: number): number => {
  const demanded = seconds === null ? DEFAULT_PAUSE_MS : seconds * 1000
  return Math.min(Math.max(demanded, SHORTEST_PAUSE_MS * 2 ** pausesBefore), LONGEST_PAUSE_MS)
}

async function holdTo(place: Place, job: Job): Promise<void> {
  const { statementId, token } = place
  const db = await store()
  const run: Run = {
    ...place,
    cut: false,
    wantsCode: false,
    async goesOn() {
      // On shutdown the work ends after the current line, so that another process can continue.
      const next = await tickWork(db, statementId, token, run.done)
      run.cut ||= next === 'goes on' && isShuttingDown()
      return next === 'goes on' && !isShuttingDown()
    },
    async pause(ms) {
      const until = steadyNow() + ms
      await recordPause(db, statementId, token, new Date(Date.now() + ms).toISOString())
      let goesOn = await run.goesOn()
      while (goesOn && steadyNow() < until) {
        await wait(Math.min(PAUSE_CHECK_MS, until - steadyNow()))
        goesOn = await run.goesOn()
      }
      if (goesOn) await recordPause(db, statementId, token, null)
      return goesOn
    },
  }
  // One line may take longer than the lease.
  const stopTicking = runPeriodically(async () => void (await tickWork(db, statementId, token, run.done)), {
    everyMs: TICK_EVERY_MS,
    deadlineMs: TICK_DEADLINE_MS,
    onFailure: () => {},
  })
  let ended = 'Stopped: the console’s database did not respond. You can continue.'
  try {
    ended = await job.run(run)
  } catch (error) {
    log().error({ event: 'statement', work: job.work, error: error instanceof Error ? error.name : 'error' })
  } finally {
    stopTicking()
  }
  // Another process continues a lookup, but never a confirmation run: that moves money, so an operator must order it.
  if (run.cut && job.work === 'look') {
    return await releaseWork(db, statementId, token, run.done).catch(() => {})
  }
  await endWork(db, statementId, token, { ended, done: run.done, wantsCode: run.wantsCode }).catch(() => {})
}

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
  readonly look: { readonly session: string; readonly scope: LookupScope } | null
}

interface Process {
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
      work_extent: work.look?.scope ?? null,
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

/** The token and scope of ended work stay: they identify the latest run. */
const heldWork = (db: Kysely<Tables>, id: string, token: string) =>
  db.updateTable('statement').where('id', '=', id).where('work', 'is not', null).where('work_token', '=', token)

export interface AbandonedLookup {
  readonly id: string
  readonly token: string
  readonly session: string
  readonly by: string
  readonly scope: LookupScope
  readonly done: number
  readonly total: number
  readonly run: number
  /** If the session ended, no process can continue the lookup. */
  readonly sessionLives: boolean
}

export async function findAbandonedLookups(db: Kysely<Tables>, process: Process): Promise<readonly AbandonedLookup[]> {
  const { rows } = await sql<AbandonedLookup>`
    SELECT id, work_token AS token, work_session AS session, work_by AS by, work_extent AS scope, work_done AS done,
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
  const { numUpdatedRows } = await heldWork(db, id, before)
    .set({ work_token: token, work_boot: process.boot, work_until: leaseEnd, work_paused_until: null })
    .where('discarded_at', 'is', null)
    .where(isCutOff(process))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends the lease, so that another process can continue at once. */
export async function releaseWork(db: Kysely<Tables>, id: string, token: string, done: number): Promise<void> {
  await heldWork(db, id, token).set({ work_until: databaseNow, work_done: done }).execute()
}

async function recordPause(db: Kysely<Tables>, id: string, token: string, until: string | null): Promise<void> {
  await heldWork(db, id, token).set({ work_paused_until: until }).execute()
}

/** Extends the lease. `lost`: another process holds it. `stop`: an operator asked to stop. */
export async function tickWork(
  db: Kysely<Tables>,
  id: string,
  token: string,
  done: number,
): Promise<'goes on' | 'stop' | 'lost'> {
  const row = await heldWork(db, id, token)
    .set({ work_until: leaseEnd, work_done: done })
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
  await heldWork(db, id, token)
    .set({
      work_done: done,
      work: null,
      work_boot: null,
      work_until: null,
      work_session: null,
      work_paused_until: null,
      work_ended: ended,
      work_wants_code: wantsCode,
    })
    .execute()
}

export interface WorkRow {
  readonly work: 'look' | 'confirm' | null
  readonly work_by: string | null
  readonly work_token: string | null
  readonly work_session: string | null
  readonly work_extent: LookupScope | null
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

export const findWork = (db: Kysely<Tables>, id: string, { boot, alone }: Process): Promise<WorkRow | undefined> =>
  db
    .selectFrom('statement')
    .select([
      'work',
      'work_by',
      'work_token',
      'work_session',
      'work_extent',
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
