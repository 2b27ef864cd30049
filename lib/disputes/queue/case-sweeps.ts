import 'server-only'
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { config } from '#lib/config/config.ts'
import { log } from '#lib/config/log.ts'
import { bootId, isShuttingDown } from '#lib/config/per-process.ts'
import { PAGE_SIZE_MAX } from '#lib/contract/wire.ts'
import { type CasePage, listCases } from '#lib/disputes/dispute-service.ts'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import type { Result } from '#lib/service/answer.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { adminViewOf } from './admin-view.ts'
import { dropUnseenSince } from './case-index-table.ts'
import { keepCases, noteCases } from './note-cases.ts'
import { type FirstPage, sweepCases } from './sweep.ts'
import { beginSweep, endSweep, noteSweptPage, type SweepState, sweepState } from './sweep-table.ts'

const SWEEP_EVERY_MS = 30_000
const PAUSE_MS = 15_000
const LOOK_EVERY_MS = 100

export const readCasePage = (session: Session, page: number): Promise<Result<CasePage>> =>
  listCases(session, { all: true, status: null, page, pageSize: PAGE_SIZE_MAX })

export const readableIn = ({ cases }: CasePage): readonly ThreadCase[] =>
  cases.flatMap((row) => (row.readable ? [row.value] : []))

const here = () => ({ boot: bootId(), alone: !config().databaseUrl.startsWith('postgres') })

export const sweepsNow = async (): Promise<SweepState> => await sweepState(await store(), here())

/**
 * Starts a sweep if one is due, from a page read with admin view. One sweep runs at a time across processes, detached;
 * a list of one page is done on return.
 */
export async function sweepFrom(session: Session, first: CasePage, readAt: string): Promise<void> {
  const isWhole = first.totalCount <= PAGE_SIZE_MAX
  const token = randomUUID()
  const begun = (isWhole || isDue(await sweepsNow())) && (await beginSweep(await store(), { token, ...here() }))
  if (!begun) return await noteCases(readableIn(first), readAt)
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
  return Date.now() - Date.parse(beganAt) >= SWEEP_EVERY_MS && Date.now() - Date.parse(endedAt) >= PAUSE_MS
}

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
      await keepCases(readableIn(found), readAt)
      return await noteSweptPage(db, token, { page, readAt, total: found.totalCount })
    }
    const sweep = await sweepCases((page) => readCasePage(session, page), keepPage, first)
    if (sweep === null) return
    const shortfall = sweep.shortfall ?? (isEverybodys ? null : 'moved')
    if (shortfall === null) await dropUnseenSince(db, sweep.beganAt)
    // Another session must not be told that its session ended.
    const problem = sweep.problem?.kind === 'session-over' ? null : sweep.problem
    await endSweep(db, token, { ...sweep, shortfall, problem })
  } catch (error) {
    log().error({ event: 'case-sweep', error: error instanceof Error ? error.name : 'error' })
  }
}
