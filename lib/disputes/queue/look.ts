import 'server-only'
import { perProcess } from '#lib/config/per-process.ts'
import type { Problem } from '#lib/contract/problem.ts'
import type { CasePage } from '#lib/disputes/dispute-service.ts'
import { liveSessions, onSessionEnded } from '#lib/session/live-sessions.ts'
import type { Session } from '#lib/session/session.ts'
import { adminViewOf } from './admin-view.ts'
import { readableIn, readCasePage, sweepFrom, sweepsNow, waitForSweep } from './case-sweeps.ts'
import { noteCases } from './note-cases.ts'
import type { AdminView } from './queue.ts'

const LOOK_EVERY_MS = 30_000
/** Admin view stays proved for this long while the list cannot be read. */
const PROVED_FOR_MS = 300_000
const FIRST_SWEEP_MS = 1_500

/** The first page of all cases, as the service shows it to one session. */
export interface Look {
  /** Allows the session to see the index of all cases. */
  readonly adminView: AdminView
  readonly page: CasePage | null
  readonly readAt: string
  readonly problem: Problem | null
}

interface Kept {
  look: Look | null
  running: Promise<Look> | null
  readonly listeners: Set<() => void>
}

/** Cached for 30 seconds; concurrent callers share one read. With admin view it also updates the index. */
export async function lookFor(session: Session): Promise<Look> {
  const kept = keptFor(session)
  if (kept.running !== null) return await kept.running
  const before = kept.look
  kept.running = keptOrNew(session, kept).finally(() => {
    kept.running = null
    if (kept.look !== before) for (const listen of [...kept.listeners]) listen()
  })
  return await kept.running
}

/** Returns how to stop. */
export function onLook(session: Session, listen: () => void): () => void {
  const { listeners } = keptFor(session)
  listeners.add(listen)
  return () => void listeners.delete(listen)
}

/** Reads memory only; null if there is nothing. */
export function lookAtHand(session: Session): Look | null {
  const look = allLooks().get(session.id)?.look ?? null
  return look && outdated(look)
}

async function keptOrNew(session: Session, kept: Kept): Promise<Look> {
  if (kept.look !== null && !(await isDue(kept.look))) return kept.look
  const readAt = new Date().toISOString()
  const result = await readCasePage(session, 1)
  if (!result.ok) {
    const { problem } = result
    const known = isRefusal(problem) ? null : kept.look
    kept.look = outdated({ ...(known ?? { adminView: 'not-proved', page: null, readAt }), problem })
    return kept.look
  }
  const page = result.value
  const adminView = adminViewOf(session.userId, readableIn(page))
  const before = kept.look
  const look: Look = { adminView, page, readAt, problem: null }
  kept.look = look
  try {
    if (adminView === 'proved') await keepIndex(session, page, readAt)
    else await noteCases(readableIn(page), readAt)
  } catch (cause) {
    // Nothing was stored, so the next request must read again.
    kept.look = before
    throw cause
  }
  return look
}

async function keepIndex(session: Session, page: CasePage, readAt: string): Promise<void> {
  await sweepFrom(session, page, readAt)
  if ((await sweepsNow()).completeAt === null) await waitForSweep(FIRST_SWEEP_MS)
}

async function isDue({ adminView, readAt, problem }: Look): Promise<boolean> {
  if (problem !== null || Date.now() - Date.parse(readAt) >= LOOK_EVERY_MS) return true
  if (adminView === 'not-proved') return false
  const { shortfall, reading } = await sweepsNow()
  return shortfall !== null && reading === null
}

/** A refusal ends admin view; an outage does not. */
const isRefusal = ({ kind, status }: Problem): boolean => kind === 'session-over' || status === 403

const outdated = (look: Look): Look =>
  Date.now() - Date.parse(look.readAt) > PROVED_FOR_MS ? { ...look, adminView: 'not-proved', page: null } : look

function keptFor(session: Session): Kept {
  const kept = allLooks().get(session.id) ?? { look: null, running: null, listeners: new Set() }
  // A session that ended during the read leaves nothing behind.
  if (liveSessions().has(session.id)) allLooks().set(session.id, kept)
  return kept
}

const allLooks = (): Map<string, Kept> =>
  perProcess('case looks', () => {
    const all = new Map<string, Kept>()
    onSessionEnded((sessionId) => void all.delete(sessionId))
    return all
  })
