import 'server-only'
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { config } from '#lib/config/config.ts'
import { log } from '#lib/config/log.ts'
import { bootId, isShuttingDown, perProcess } from '#lib/config/per-process.ts'
import type { Session } from '#lib/session/session.ts'
import { inRounds } from '#lib/store/in-rounds.ts'
import { store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import {
  type AbandonedLookup,
  askToStop,
  beginWork,
  claimAbandonedLookup,
  endWork,
  findAbandonedLookups,
  findWork,
  type LookupScope,
  type Process,
  recordPause,
  releaseWork,
  tickWork,
  type WorkRow,
} from './work-table.ts'

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
export async function workOn(statementId: string): Promise<WorkRow | undefined> {
  return await findWork(await store(), statementId, here())
}

export async function isWorkedOn(db: Kysely<Tables>, statementId: string): Promise<boolean> {
  const work = await findWork(db, statementId, here())
  return work?.work != null && work.alive
}

export async function stopWork(statementId: string): Promise<void> {
  await askToStop(await store(), statementId)
}

interface Job {
  readonly work: 'look' | 'confirm'
  readonly extent: LookupScope | null
  readonly total: number
  /** Returns how it ended; may be empty. */
  readonly run: (run: Run) => Promise<string>
}

/** Runs detached, one job per statement across processes. False if another job runs. */
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
  // Another process continues a lookup, but never a confirmation run: that moves money, so an operator must order it.
  if (run.cut && job.work === 'look') {
    return await releaseWork(db, statementId, token, run.done).catch(() => {})
  }
  await endWork(db, statementId, token, { ended, done: run.done, wantsCode: run.wantsCode }).catch(() => {})
}
