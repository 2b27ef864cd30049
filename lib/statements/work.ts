import 'server-only'
import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { config } from '#lib/config/config.ts'
import { log } from '#lib/config/log.ts'
import { isShuttingDown } from '#lib/config/on-shutdown.ts'
import { bootId } from '#lib/config/per-process.ts'
import type { Session } from '#lib/session/session.ts'
import { inRounds } from '#lib/store/in-rounds.ts'
import { store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { askToStop, beginWork, endWork, findWork, tickWork, type WorkRow } from './work-table.ts'

/** Well within the lease. */
const TICK_EVERY_MS = 4_000
const TICK_DEADLINE_MS = 12_000

/** One run of work on a statement, as the work itself sees it. */
export interface Run {
  readonly statementId: string
  /** Names this run; the commands of one run are one act. */
  readonly token: string
  /** How many lines are behind it. */
  done: number
  /** It ends for want of a code. */
  wantsCode: boolean
  /** Whether to go on with the next line: nobody asked to stop, and the place is still ours. */
  goesOn(): Promise<boolean>
}

/** Keeps a promise going after the browser's request is answered or gone. */
export type Detach = (running: Promise<unknown>) => void

/** No other process can have an embedded store open. */
const alone = (): boolean => !config().databaseUrl.startsWith('postgres')

/** What goes on with a statement; undefined when there is no such statement. */
export async function workOn(statementId: string): Promise<WorkRow | undefined> {
  return await findWork(await store(), statementId, { boot: bootId(), alone: alone() })
}

/** Whether work goes on with a statement right now. */
export async function isWorkedOn(db: Kysely<Tables>, statementId: string): Promise<boolean> {
  const work = await findWork(db, statementId, { boot: bootId(), alone: alone() })
  return work?.work != null && work.alive
}

/** Asks the work on a statement to end after the line it is at. */
export async function stopWork(statementId: string): Promise<void> {
  await askToStop(await store(), statementId)
}

interface Job {
  readonly work: 'look' | 'confirm'
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
  const { work, total } = job
  const place = { work, token, boot: bootId(), by: session.displayName, total, alone: alone() }
  if (!(await beginWork(await store(), statementId, place))) return false
  detach(hold(statementId, token, job))
  return true
}

async function hold(statementId: string, token: string, job: Job): Promise<void> {
  const db = await store()
  const run: Run = {
    statementId,
    token,
    done: 0,
    wantsCode: false,
    async goesOn() {
      // Work ends after the line it is at; it can be taken up again.
      return !isShuttingDown() && (await tickWork(db, statementId, token, run.done)) === 'goes on'
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
  await endWork(db, statementId, token, { ended, done: run.done, wantsCode: run.wantsCode }).catch(() => {})
}
