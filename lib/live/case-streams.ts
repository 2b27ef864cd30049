import 'server-only'
import { atStop, isStopping } from '#lib/config/at-stop.ts'
import type { StreamEvent } from '#lib/domain/case-stream.ts'
import { liveSessions, onSessionEnded } from '#lib/session/live-sessions.ts'
import type { Session } from '#lib/session/session.ts'
import { EventStream } from './event-stream.ts'
import { openRelay } from './open-relay.ts'
import { schedule } from './schedule.ts'
import type { SessionRelay } from './session-relay.ts'

/** A browser has six connections to one place over HTTP/1.1; streams must leave some for everything else. */
const STREAMS_MAX = 4

/** What this process holds open for one session. */
interface Held {
  readonly relay: SessionRelay
  /** The oldest first. */
  readonly streams: Set<EventStream>
}

interface AllHeld {
  /** By session id. */
  readonly held: Map<string, Held>
}

const shared = globalThis as typeof globalThis & { consoleCaseStreams?: AllHeld }

/** Begins when a tab shows the case; answers what ends with its stream. */
type Look = () => () => void

/**
 * A stream of everything there is to know of one case, for one tab. Null when this process is stopping. A session has at
 * most four: one more ends the oldest. `look` is called once the case is seen: one that is not visible is looked at by nobody.
 */
export function openCaseStream(
  session: Session,
  caseId: string,
  look: Look = () => () => {},
): ReadableStream<Uint8Array> | null {
  if (isStopping()) return null
  const all = allHeld()
  const { relay, streams } = all.held.get(session.id) ?? begin(all, session)
  for (const oldest of [...streams].slice(0, Math.max(0, streams.size - STREAMS_MAX + 1))) {
    oldest.end({ type: 'closed', why: 'too-many-streams' })
  }
  let leave = () => {}
  let lookAway: (() => void) | null = null
  const stream = new EventStream({
    schedule,
    onOver() {
      streams.delete(stream)
      leave()
      lookAway?.()
    },
  })
  streams.add(stream)
  leave = relay.watch(caseId, (event) => {
    if (event.type === 'snapshot') lookAway ??= look()
    stream.send(event)
  })
  // It may have ended since the request came in, and that is told only once.
  if (!liveSessions().has(session.id)) letGo(all, session.id)
  return stream.body
}

function begin(all: AllHeld, session: Session): Held {
  const held: Held = { relay: openRelay(session, schedule), streams: new Set() }
  all.held.set(session.id, held)
  return held
}

function letGo(all: AllHeld, sessionId: string): void {
  const held = all.held.get(sessionId)
  all.held.delete(sessionId)
  if (held !== undefined) end(held, { type: 'closed', why: 'session-over' })
}

function end({ relay, streams }: Held, last: StreamEvent): void {
  relay.stop()
  for (const stream of [...streams]) stream.end(last)
}

function allHeld(): AllHeld {
  if (shared.consoleCaseStreams !== undefined) return shared.consoleCaseStreams
  const all: AllHeld = { held: new Map() }
  shared.consoleCaseStreams = all
  onSessionEnded((sessionId) => letGo(all, sessionId))
  atStop(() => {
    for (const held of all.held.values()) end(held, { type: 'resync' })
  })
  return all
}
