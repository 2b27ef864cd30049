import 'server-only'
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { config } from '#lib/config/config.ts'
import { log } from '#lib/config/log.ts'
import { isShuttingDown } from '#lib/config/on-shutdown.ts'
import { bootId, perProcess } from '#lib/config/per-process.ts'
import type { Session } from '#lib/session/session.ts'
import { inRounds } from '#lib/store/in-rounds.ts'
import { store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import {
  askToStop,
  beginWork,
  type CutOffLook,
  type Extent,
  endWork,
  findCutOffLooks,
  findWork,
  type Process,
  recordPause,
  releaseWork,
  takeUpLook,
  tickWork,
  type WorkRow,
} from './work-table.ts'

/** Well within the lease. */
const TICK_EVERY_MS = 4_000
const TICK_DEADLINE_MS = 12_000

/** One run of work on a statement, as the work itself sees it. */
export interface Run {
  readonly statementId: string
  /** Names this run; the commands of one run are one act. */
  readonly token: string
  /** Counts the runs on this statement; one that another process goes on with stays the same. */
  readonly number: number
  /** How many lines are behind it. */
  done: number
  /** It ends before its end since the process does. */
  cut: boolean
  /** It ends for want of a code. */
  wantsCode: boolean
  /** Whether to go on with the next line: nobody asked to stop, and the place is still ours. */
  goesOn(): Promise<boolean>
  /** Answers whether to go on. */
  pause(ms: number): Promise<boolean>
}

/** Keeps a promise going after the browser's request is answered or gone. */
export type Detach = (running: Promise<unknown>) => void

/** No other process can have an embedded store open. */
const here = (): Process => ({ boot: bootId(), alone: !config().databaseUrl.startsWith('postgres') })

/** What goes on with a statement; undefined when there is no such statement. */
export async function workOn(statementId: string): Promise<WorkRow | undefined> {
  return await findWork(await store(), statementId, here())
}

/** Whether work goes on with a statement right now. */
export async function isWorkedOn(db: Kysely<Tables>, statementId: string): Promise<boolean> {
  const work = await findWork(db, statementId, here())
  return work?.work != null && work.alive
}

/** Asks the work on a statement to end after the line it is at. */
export async function stopWork(statementId: string): Promise<void> {
  await askToStop(await store(), statementId)
}

interface Job {
  readonly work: 'look' | 'confirm'
  /** Which lines are looked up; null when none are. */
  readonly extent: Extent | null
  readonly total: number
  /** Answers how it ended, in words; empty when there is nothing to say. */
  readonly run: (run: Run) => Promise<string>
}

/**
 * Starts work on a statement, detached from who asked for it: one at a time, across processes. False while other work
 * goes on.
 */
export async function startWork(session: Session, statementId: string, job: Job, detach: Detach): Promise<boolean> {
  const token = randomUUID()
  const { work, extent, total } = job
  const look = extent === null ? null : { session: session.id, extent }
  const place = { work, token, by: session.displayName, total, look, ...here() }
  const number = await beginWork(await store(), statementId, place)
  if (number === null) return false
  detach(hold({ statementId, token, number, done: 0 }, job))
  return true
}

/** Looking up that was cut off, on all statements. */
export const cutOffLooks = async (): Promise<readonly CutOffLook[]> => await findCutOffLooks(await store(), here())

/** Goes on with looking up that was cut off, unless another process does. */
export async function goOn(look: CutOffLook, job: Job): Promise<void> {
  const token = randomUUID()
  if (!(await takeUpLook(await store(), look, { token, ...here() }))) return
  const { id: statementId, run: number } = look
  void hold({ statementId, token, number, done: Math.max(0, look.total - job.total) }, job)
}

/** Ends looking up that was cut off and that nobody can go on with. */
export async function endLook({ id, token, done }: CutOffLook, ended: string): Promise<void> {
  await endWork(await store(), id, token, { ended, done, wantsCode: false })
}

/** What this process does on statements; the end of the process waits for it. */
const underWay = () => perProcess('statement work', () => new Set<Promise<void>>())

/** Answers when this process works on no statement any more; it is shutting down. */
export async function endStatementWork(): Promise<void> {
  await Promise.allSettled(underWay())
}

type Place = Pick<Run, 'statementId' | 'token' | 'number' | 'done'>

/** Never fails. */
function hold(place: Place, job: Job): Promise<void> {
  const holding = holdTo(place, job)
    .catch(() => {})
    .finally(() => underWay().delete(holding))
  underWay().add(holding)
  return holding
}

/** Without Retry-After. */
const DEFAULT_PAUSE_MS = 30_000
const SHORTEST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 900_000
const PAUSE_CHECK_MS = 1_000
/** For one line. */
export const PAUSES_MAX = 12

/** How long to wait after a 429. The shortest pause doubles with each one for the same line. */
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
      // Work ends after the line it is at; it can be taken up again.
      const next = await tickWork(db, statementId, token, run.done)
      run.cut ||= next === 'goes on' && isShuttingDown()
      return next === 'goes on' && !isShuttingDown()
    },
    async pause(ms) {
      const until = Date.now() + ms
      await recordPause(db, statementId, token, new Date(until).toISOString())
      let goesOn = await run.goesOn()
      while (goesOn && Date.now() < until) {
        await wait(Math.min(PAUSE_CHECK_MS, until - Date.now()))
        goesOn = await run.goesOn()
      }
      if (goesOn) await recordPause(db, statementId, token, null)
      return goesOn
    },
  }
  // One line may take longer than the lease.
  const stopTicking = inRounds(async () => void (await tickWork(db, statementId, token, run.done)), {
    everyMs: TICK_EVERY_MS,
    deadlineMs: TICK_DEADLINE_MS,
    onFailure: () => {},
  })
  let ended = 'The console stopped it: its own store could not be read or written. It can be gone on with.'
  try {
    ended = await job.run(run)
  } catch (error) {
    log().error({ event: 'statement', work: job.work, error: error instanceof Error ? error.name : 'error' })
  } finally {
    stopTicking()
  }
  // Another process goes on with it. A confirmation is not gone on with by itself: it moves money, so a person orders it.
  if (run.cut && job.work === 'look') {
    return await releaseWork(db, statementId, token, run.done).catch(() => {})
  }
  await endWork(db, statementId, token, { ended, done: run.done, wantsCode: run.wantsCode }).catch(() => {})
}
