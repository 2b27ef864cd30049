import 'server-only'
import { perProcess } from '#lib/config/per-process.ts'
import type { Problem } from '#lib/contract/problem.ts'
import type { CasePage } from '#lib/disputes/dispute-service.ts'
import { liveSessions, onSessionEnded } from '#lib/session/live-sessions.ts'
import type { Session } from '#lib/session/session.ts'
import { adminViewOf, recordCases } from './case-index.ts'
import { readableIn, readCasePage, sweepFrom, sweepsNow, waitForSweep } from './case-sweeps.ts'
import type { AdminView } from './queue.ts'

const PROBE_EVERY_MS = 30_000
/** Admin view stays proved for this long while the list cannot be read. */
const PROVED_FOR_MS = 300_000
const FIRST_SWEEP_MS = 1_500

/** The first page of all cases, as the service shows it to one session. */
export interface CaseListProbe {
  /** Allows the session to see the index of all cases. */
  readonly adminView: AdminView
  readonly page: CasePage | null
  readonly readAt: string
  readonly problem: Problem | null
}

interface Entry {
  probe: CaseListProbe | null
  running: Promise<CaseListProbe> | null
  readonly listeners: Set<() => void>
}

/** Cached for 30 seconds; concurrent callers share one read. With admin view it also updates the index. */
export async function probeCaseList(session: Session): Promise<CaseListProbe> {
  const entry = entryOf(session)
  if (entry.running !== null) return await entry.running
  const before = entry.probe
  entry.running = cachedOrNew(session, entry).finally(() => {
    entry.running = null
    if (entry.probe !== before) for (const listen of [...entry.listeners]) listen()
  })
  return await entry.running
}

export function onCaseListProbe(session: Session, listen: () => void): () => void {
  const { listeners } = entryOf(session)
  listeners.add(listen)
  return () => void listeners.delete(listen)
}

/** Null if there is nothing. */
export function cachedProbe(session: Session): CaseListProbe | null {
  const probe = allEntries().get(session.id)?.probe ?? null
  return probe && outdated(probe)
}

async function cachedOrNew(session: Session, entry: Entry): Promise<CaseListProbe> {
  if (entry.probe !== null && !(await isDue(entry.probe))) return entry.probe
  const readAt = new Date().toISOString()
  const result = await readCasePage(session, 1)
  if (!result.ok) {
    const { problem } = result
    const known = isRefusal(problem) ? null : entry.probe
    entry.probe = outdated({ ...(known ?? { adminView: 'not-proved', page: null, readAt }), problem })
    return entry.probe
  }
  const page = result.value
  const adminView = adminViewOf(session.userId, readableIn(page))
  const before = entry.probe
  const probe: CaseListProbe = { adminView, page, readAt, problem: null }
  entry.probe = probe
  try {
    if (adminView === 'proved') await keepIndex(session, page, readAt)
    else await recordCases(readableIn(page), readAt)
  } catch (cause) {
    // Nothing was stored, so the next request must read again.
    entry.probe = before
    throw cause
  }
  return probe
}

async function keepIndex(session: Session, page: CasePage, readAt: string): Promise<void> {
  await sweepFrom(session, page, readAt)
  if ((await sweepsNow()).completeAt === null) await waitForSweep(FIRST_SWEEP_MS)
}

async function isDue({ adminView, readAt, problem }: CaseListProbe): Promise<boolean> {
  if (problem !== null || Date.now() - Date.parse(readAt) >= PROBE_EVERY_MS) return true
  if (adminView === 'not-proved') return false
  const { shortfall, reading } = await sweepsNow()
  return shortfall !== null && reading === null
}

/** A refusal ends admin view; an outage does not. */
const isRefusal = ({ kind, status }: Problem): boolean => kind === 'session-over' || status === 403

const outdated = (probe: CaseListProbe): CaseListProbe =>
  Date.now() - Date.parse(probe.readAt) > PROVED_FOR_MS ? { ...probe, adminView: 'not-proved', page: null } : probe

function entryOf(session: Session): Entry {
  const entry = allEntries().get(session.id) ?? { probe: null, running: null, listeners: new Set() }
  // A session that ended during the read leaves nothing behind.
  if (liveSessions().has(session.id)) allEntries().set(session.id, entry)
  return entry
}

const allEntries = (): Map<string, Entry> =>
  perProcess('case looks', () => {
    const all = new Map<string, Entry>()
    onSessionEnded((sessionId) => void all.delete(sessionId))
    return all
  })
