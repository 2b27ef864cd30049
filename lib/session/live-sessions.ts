import 'server-only'
import { log } from '#lib/config/log.ts'
import { perProcess } from '#lib/config/per-process.ts'
import type { Session } from './session.ts'

type EndListener = (sessionId: string, session: Session) => void

interface Live {
  readonly sessions: Map<string, Session>
  readonly listeners: Set<EndListener>
}

const live = (): Live => perProcess('live sessions', () => ({ sessions: new Map(), listeners: new Set() }))

/** Sessions that this process has opened, with the keys to their tokens. Empty after a restart. */
export const liveSessions = (): ReadonlyMap<string, Session> => live().sessions

export function keepLive(session: Session): void {
  live().sessions.set(session.id, session)
}

/** Calls `listener` once per session of this process, wherever it ends. Returns a function that unsubscribes. */
export function onSessionEnded(listener: EndListener): () => void {
  live().listeners.add(listener)
  return () => void live().listeners.delete(listener)
}

export function dropLive(sessionId: string): void {
  const session = live().sessions.get(sessionId)
  if (session === undefined) return
  live().sessions.delete(sessionId)
  for (const listener of live().listeners) {
    try {
      listener(sessionId, session)
    } catch (error) {
      // A failing listener must not stop the others.
      log().error({ event: 'session-ended', error: error instanceof Error ? error.name : 'unknown' })
    }
  }
}
