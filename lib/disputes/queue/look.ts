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

/** One session reads the list for its own proof of admin view at most this often. */
const LOOK_EVERY_MS = 30_000
/** What a session has proved holds for so long while the list cannot be read anew. */
const PROVED_FOR_MS = 300_000
/** An index that was never complete is waited for a moment: a short list is swept by then. */
const FIRST_SWEEP_MS = 1_500

/** What the service shows a session of the list of all cases: its first page. */
export interface Look {
  /** Whether it may see the index, which holds everybody's cases. */
  readonly adminView: AdminView
  /** As the latest look that came to something found it; null when none did. */
  readonly page: CasePage | null
  /** ISO 8601: when that was read. */
  readonly readAt: string
  /** Why the latest look came to nothing. */
  readonly problem: Problem | null
}

interface Kept {
  look: Look | null
  running: Promise<Look> | null
  /** Those who are told of each look that is new. */
  readonly listeners: Set<() => void>
}

/**
 * What the service shows this session: as it was looked at within half a minute, else by a new look, which all who ask at
 * once wait for. A look that proves admin view keeps the index up to date. Kept in this process's memory, and forgotten
 * with the session.
 */
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

/** Tells of each new look, also of those that pages of this session have made. Answers how to stop. */
export function onLook(session: Session, listen: () => void): () => void {
  const { listeners } = keptFor(session)
  listeners.add(listen)
  return () => void listeners.delete(listen)
}

/** What is in memory, without asking the service; null when that is nothing. */
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
    // Kept, it would stop everybody from reading again for half a minute, though nothing was stored.
    kept.look = before
    throw cause
  }
  return look
}

async function keepIndex(session: Session, page: CasePage, readAt: string): Promise<void> {
  await sweepFrom(session, page, readAt)
  if ((await sweepsNow()).completeAt === null) await waitForSweep(FIRST_SWEEP_MS)
}

/** What came to nothing is tried again when somebody asks: a look of one's own, or the latest sweep of all. */
async function isDue({ adminView, readAt, problem }: Look): Promise<boolean> {
  if (problem !== null || Date.now() - Date.parse(readAt) >= LOOK_EVERY_MS) return true
  if (adminView === 'not-proved') return false
  const { shortfall, reading } = await sweepsNow()
  return shortfall !== null && reading === null
}

/** Who is refused sees nobody's cases any more; an outage tells nothing of that. */
const isRefusal = ({ kind, status }: Problem): boolean => kind === 'session-over' || status === 403

const outdated = (look: Look): Look =>
  Date.now() - Date.parse(look.readAt) > PROVED_FOR_MS ? { ...look, adminView: 'not-proved', page: null } : look

function keptFor(session: Session): Kept {
  const kept = allLooks().get(session.id) ?? { look: null, running: null, listeners: new Set() }
  // A session that ended meanwhile leaves nothing behind.
  if (liveSessions().has(session.id)) allLooks().set(session.id, kept)
  return kept
}

const allLooks = (): Map<string, Kept> =>
  perProcess('case looks', () => {
    const all = new Map<string, Kept>()
    onSessionEnded((sessionId) => void all.delete(sessionId))
    return all
  })
