import 'server-only'
import { perProcess } from '#lib/config/per-process.ts'
import { PAGE_SIZE_MAX } from '#lib/contract/wire.ts'
import { listCases } from '#lib/disputes/dispute-service.ts'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import { liveSessions, onSessionEnded } from '#lib/session/live-sessions.ts'
import type { Session } from '#lib/session/session.ts'
import { adminViewOf } from './admin-view.ts'
import { noteCases } from './note-cases.ts'
import type { AdminView, CaseList } from './queue.ts'
import { type Sweep, sweepCases } from './sweep.ts'

/** A list that could be read is read at most this often for one session, whoever asks for it. */
const SWEEP_EVERY_MS = 30_000
/** A list that was read whole serves for so long while it cannot be read anew. */
const WHOLE_FOR_MS = 300_000

/** What a session knows of one list. */
export interface Swept {
  /** The latest reading. */
  readonly latest: Sweep
  /** The latest that was whole, if it is not too old to work with. */
  readonly whole: Sweep | null
  readonly adminView: AdminView
}

interface Kept {
  swept: Swept | null
  running: Promise<Swept> | null
}

type Lists = Map<CaseList, Kept>

/**
 * A list of cases read whole for this session: the one at hand while it is young, else a new one, which all who ask at
 * once wait for. Kept in this process's memory, and forgotten with the session.
 */
export function sweptFor(session: Session, list: CaseList): Promise<Swept> {
  const kept = keptFor(session, list)
  if (kept.running !== null) return kept.running
  if (kept.swept !== null && !isDue(kept.swept)) return Promise.resolve(withWhole(kept.swept))
  kept.running = sweepFor(session, list, kept).finally(() => {
    kept.running = null
  })
  return kept.running
}

/** What is in memory of a list, without asking the service for it; null when that is nothing. */
export function sweptAtHand(session: Session, list: CaseList): Swept | null {
  const swept = allLists().get(session.id)?.get(list)?.swept
  return swept ? withWhole(swept) : null
}

/** A case that was read by itself is newer than what the session's lists say of it. */
export async function noteCase(session: Session, found: ThreadCase): Promise<void> {
  for (const kept of allLists().get(session.id)?.values() ?? []) {
    if (kept.swept === null) continue
    const { latest, whole, adminView } = kept.swept
    kept.swept = { latest: withCase(latest, found), whole: whole && withCase(whole, found), adminView }
  }
  await noteCases([found], new Date().toISOString())
}

async function sweepFor(session: Session, list: CaseList, kept: Kept): Promise<Swept> {
  const status = list === 'ALL' ? null : list
  const readPage = (page: number, of: 'OPEN' | 'RESOLVED' | null = status) =>
    listCases(session, { all: true, status: of, page, pageSize: PAGE_SIZE_MAX })
  const latest = await sweepCases(readPage)
  let adminView = adminViewOf(session.userId, latest.cases)
  if (adminView !== 'proved' && list === 'OPEN' && latest.shortfall === null) {
    // Whoever has worked the queue off is no less an admin: resolved cases prove it as well.
    const resolved = await readPage(1, 'RESOLVED')
    const found = resolved.ok ? resolved.value.cases.flatMap((row) => (row.readable ? [row.value] : [])) : []
    adminView = adminViewOf(session.userId, [...latest.cases, ...found])
  }
  kept.swept = { latest, whole: latest.shortfall === null ? latest : (kept.swept?.whole ?? null), adminView }
  await noteCases(latest.cases, latest.startedAt)
  return withWhole(kept.swept)
}

/** One that came to nothing is tried again when somebody asks for it; nothing asks by itself more often than polls do. */
const isDue = ({ latest }: Swept): boolean =>
  latest.shortfall === 'problem' ||
  latest.shortfall === 'moved' ||
  Date.now() - Date.parse(latest.readAt) >= SWEEP_EVERY_MS

const withWhole = (swept: Swept): Swept =>
  swept.whole !== null && Date.now() - Date.parse(swept.whole.readAt) > WHOLE_FOR_MS ? { ...swept, whole: null } : swept

function withCase(sweep: Sweep, found: ThreadCase): Sweep {
  const isIt = (known: ThreadCase) => known.id.toLowerCase() === found.id.toLowerCase()
  return { ...sweep, cases: sweep.cases.map((known) => (isIt(known) ? found : known)) }
}

function keptFor(session: Session, list: CaseList): Kept {
  const lists: Lists = allLists().get(session.id) ?? new Map()
  // A session that ended meanwhile leaves nothing behind.
  if (liveSessions().has(session.id)) allLists().set(session.id, lists)
  const kept = lists.get(list) ?? { swept: null, running: null }
  lists.set(list, kept)
  return kept
}

const allLists = (): Map<string, Lists> =>
  perProcess('sweeps', () => {
    const all = new Map<string, Lists>()
    onSessionEnded((sessionId) => void all.delete(sessionId))
    return all
  })
