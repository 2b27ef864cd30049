import 'server-only'
import { errorName, log } from '#lib/config/log.ts'
import { perProcess } from '#lib/config/per-process.ts'
import { runPeriodically } from '#lib/store/periodic.ts'
import { store } from '#lib/store/store.ts'
import { idleMs } from './limits.ts'
import type { Session } from './session.ts'
import { sweepSessions } from './vault/session-table.ts'

type EndListener = (sessionId: string, session: Session) => void

interface Live {
  readonly sessions: Map<string, Session>
  readonly listeners: Set<EndListener>
}

const live = (): Live => perProcess('live sessions', () => ({ sessions: new Map(), listeners: new Set() }))

/** Sessions that this process has opened, with the keys to their tokens. Empty after a restart. */
export const liveSessions = (): ReadonlyMap<string, Session> => live().sessions

export function addLiveSession(session: Session): void {
  live().sessions.set(session.id, session)
}

/** Calls `listener` once per session of this process, wherever it ends. Returns a function that unsubscribes. */
export function onSessionEnded(listener: EndListener): () => void {
  live().listeners.add(listener)
  return () => void live().listeners.delete(listener)
}

export function removeLiveSession(sessionId: string): void {
  const session = live().sessions.get(sessionId)
  if (session === undefined) return
  live().sessions.delete(sessionId)
  for (const listener of live().listeners) {
    try {
      listener(sessionId, session)
    } catch (error) {
      // A failing listener must not stop the others.
      log().error({ event: 'session-ended', error: errorName(error) })
    }
  }
}

/** Every process must notice an end within five seconds, including the query. */
const LOOK_EVERY_MS = 2_000

/** Longer than the query's timeout: a round that still hangs must not block the next one. */
const DEADLINE_MS = 15_000

export function watchEnds(): void {
  const onFailure = (error: unknown) => log().warn({ event: 'session-watch', error: errorName(error) })
  perProcess('ends watch', () =>
    runPeriodically(dropEndedSessions, { everyMs: LOOK_EVERY_MS, deadlineMs: DEADLINE_MS, onFailure }),
  )
}

export async function dropEndedSessions(): Promise<void> {
  // Read before the query: a session that begins during it is alive but missing from the result.
  const ids = [...liveSessions().keys()]
  const now = Date.now()
  const living = await sweepSessions(await store(), {
    ids,
    now: new Date(now).toISOString(),
    idleSince: new Date(now - idleMs()).toISOString(),
  })
  for (const id of ids) if (!living.has(id)) removeLiveSession(id)
}
