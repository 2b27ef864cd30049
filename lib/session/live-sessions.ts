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

/**
 * The sessions that this process has opened and that have not ended, with what opens their tokens. After a restart there
 * are none until their people ask for something.
 */
export const liveSessions = (): ReadonlyMap<string, Session> => live().sessions

export function keepLive(session: Session): void {
  live().sessions.set(session.id, session)
}

/**
 * Whoever holds something on behalf of sessions (a connection, a stream, a grant) learns here when one of them ended, in
 * whichever process, and lets go of it. Answers how to stop listening.
 */
export function onSessionEnded(listener: EndListener): () => void {
  live().listeners.add(listener)
  return () => void live().listeners.delete(listener)
}

/** Lets go of an ended session here, and tells the listeners once. */
export function dropLive(sessionId: string): void {
  const session = live().sessions.get(sessionId)
  if (session === undefined) return
  live().sessions.delete(sessionId)
  for (const listener of live().listeners) {
    try {
      listener(sessionId, session)
    } catch (error) {
      // One that fails must not keep the others from hearing of it.
      log().error({ event: 'session-ended', error: error instanceof Error ? error.name : 'unknown' })
    }
  }
}
