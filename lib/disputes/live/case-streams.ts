import 'server-only'
import { config } from '#lib/config/config.ts'
import { isShuttingDown, onShutdown } from '#lib/config/on-shutdown.ts'
import { perProcess } from '#lib/config/per-process.ts'
import { DISPUTE_HUB_PATH } from '#lib/contract/dispute-hub.ts'
import { fewAtOnce } from '#lib/disputes/thread/few-at-once.ts'
import { threadService } from '#lib/disputes/thread/thread-service.ts'
import { noteEvent } from '#lib/disputes/unread/note-thread.ts'
import { EventStream } from '#lib/live/event-stream.ts'
import { HubLine } from '#lib/live/hub-line.ts'
import { type Schedule, schedule } from '#lib/live/schedule.ts'
import type { StreamEnd } from '#lib/live/stream-end.ts'
import { liveSessions, onSessionEnded } from '#lib/session/live-sessions.ts'
import type { Session } from '#lib/session/session.ts'
import { accessToken } from '#lib/session/vault/access-token.ts'
import type { StreamEvent } from './case-stream.ts'
import { SessionRelay } from './session-relay.ts'

/** A browser has six connections to one place over HTTP/1.1; streams must leave some for everything else. */
const STREAMS_MAX = 4

/** What this process holds open for one session. */
interface Held {
  readonly relay: SessionRelay
  /** The oldest first. */
  readonly streams: Set<EventStream<StreamEvent>>
}

interface AllHeld {
  /** By session id. */
  readonly held: Map<string, Held>
}

/** Begins when a tab shows the case; answers what ends with its stream. */
type ShowViewer = () => () => void

/**
 * A stream of everything there is to know of one case, for one tab. Null when this process is stopping. A session has at
 * most four: one more ends the oldest. `showViewer` is called once the case is seen: one that is not visible has no viewer.
 */
export function openCaseStream(
  session: Session,
  caseId: string,
  showViewer: ShowViewer = () => () => {},
): ReadableStream<Uint8Array> | null {
  if (isShuttingDown()) return null
  const all = allHeld()
  const { relay, streams } = all.held.get(session.id) ?? begin(all, session)
  for (const oldest of [...streams].slice(0, Math.max(0, streams.size - STREAMS_MAX + 1))) {
    oldest.end({ type: 'closed', why: 'too-many-streams' })
  }
  let leave = () => {}
  let stopViewing: (() => void) | null = null
  const stream = new EventStream<StreamEvent>({
    schedule,
    onOver() {
      streams.delete(stream)
      leave()
      stopViewing?.()
    },
  })
  streams.add(stream)
  leave = relay.watch(caseId, (event) => {
    if (event.type === 'snapshot') stopViewing ??= showViewer()
    stream.send(event)
  })
  // It may have ended since the request came in, and that is told only once.
  if (!liveSessions().has(session.id)) closeStreams(all, session.id)
  return stream.body
}

/** What watches cases for a session in this process; null for one that is over, or when this process is stopping. */
export function relayOf(session: Session): SessionRelay | null {
  if (isShuttingDown() || !liveSessions().has(session.id)) return null
  const all = allHeld()
  return (all.held.get(session.id) ?? begin(all, session)).relay
}

function begin(all: AllHeld, session: Session): Held {
  const held: Held = { relay: openRelay(session, schedule), streams: new Set() }
  all.held.set(session.id, held)
  return held
}

function closeStreams(all: AllHeld, sessionId: string): void {
  const held = all.held.get(sessionId)
  all.held.delete(sessionId)
  if (held !== undefined) end(held, { type: 'closed', why: 'session-over' })
}

function end({ relay, streams }: Held, last: StreamEnd): void {
  relay.stop()
  for (const stream of [...streams]) stream.end(last)
}

const allHeld = (): AllHeld => perProcess('case streams', holdNothingYet)

function holdNothingYet(): AllHeld {
  const all: AllHeld = { held: new Map() }
  onSessionEnded((sessionId) => closeStreams(all, sessionId))
  onShutdown(() => {
    for (const held of all.held.values()) end(held, { type: 'resync' })
  })
  return all
}

/** A relay between the configured service and one session, with that session's tokens. Connects when the first case is watched. */
export const openRelay = (session: Session, schedule: Schedule): SessionRelay =>
  new SessionRelay({
    service: fewAtOnce(threadService(session)),
    schedule,
    heard: (caseId, event) => void noteEvent(caseId, event),
    openHub: (listener) =>
      new HubLine({
        url: config().coreWsUrl + DISPUTE_HUB_PATH,
        token: (rejected) => accessToken(session, rejected),
        listener,
        schedule,
      }),
  })
