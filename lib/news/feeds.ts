import 'server-only'
import { resumeOpenCommandsFor } from '#lib/commands/watch.ts'
import { isShuttingDown, onShutdown, perProcess } from '#lib/config/per-process.ts'
import { EventStream } from '#lib/live/event-stream.ts'
import { schedule } from '#lib/live/schedule.ts'
import type { StreamEnd } from '#lib/live/stream-end.ts'
import { liveSessions, onSessionEnded } from '#lib/session/live-sessions.ts'
import { Session } from '#lib/session/session.ts'
import { findOpenHandles } from '#lib/session/vault/handle-table.ts'
import { runPeriodically } from '#lib/store/periodic.ts'
import { store } from '#lib/store/store.ts'
import { Feed } from './feed.ts'
import type { NewsAsked, NewsEvent } from './news-event.ts'
import type { Topics } from './topic.ts'

/** A browser has one, or two for a moment. */
const FEEDS_MAX = 6

const RESUME_EVERY_MS = 5_000
const RESUME_DEADLINE_MS = 15_000

interface Held {
  readonly feed: Feed
  end(last: StreamEnd): void
}

const allHeld = (): Map<string, Held> =>
  perProcess('feeds', () => {
    const all = new Map<string, Held>()
    onSessionEnded((sessionId) => {
      for (const held of ofSession(all, sessionId)) held.end({ type: 'closed', why: 'session-over' })
    })
    const stop = resumeInRounds(all)
    onShutdown(() => {
      stop()
      for (const held of [...all.values()]) held.end({ type: 'resync' })
    })
    return all
  })

function resumeInRounds(all: ReadonlyMap<string, Held>): () => void {
  const round = async () => {
    await endFeedsOfOldHandles()
    await resumeOpenCommandsFor(new Set([...all.values()].map(({ feed }) => feed.session)))
  }
  return runPeriodically(round, { everyMs: RESUME_EVERY_MS, deadlineMs: RESUME_DEADLINE_MS, onFailure: () => {} })
}

/** A stream must not outlive the grace period of a replaced session handle. */
export async function endFeedsOfOldHandles(): Promise<void> {
  const feeds = [...allHeld().values()]
  if (feeds.length === 0) return
  const handleOf = ({ feed }: Held) => Session.handleOf(feed.session).idHash
  const open = await findOpenHandles(await store(), [...new Set(feeds.map(handleOf))])
  for (const held of feeds) if (!open.has(handleOf(held))) held.end({ type: 'resync' })
}

const ofSession = (all: ReadonlyMap<string, Held>, sessionId: string): Held[] =>
  [...all.values()].filter(({ feed }) => feed.session.id === sessionId)

const known = () => perProcess('topics', () => ({ topics: new Map() as Topics }))
export function registerTopics(topics: Topics): void {
  known().topics = topics
}

function hold(session: Session, tell: (event: NewsEvent) => void, onEnd: (last: StreamEnd | null) => void): Feed {
  const all = allHeld()
  const mine = ofSession(all, session.id)
  for (const oldest of mine.slice(0, Math.max(0, mine.length - FEEDS_MAX + 1))) oldest.end({ type: 'resync' })
  const followedUnder = (name: string) =>
    new Set(ofSession(all, session.id).flatMap(({ feed }) => feed.followedUnder(name)))
  const feed = new Feed({ session, topics: known().topics, schedule, tell, followedUnder })
  all.set(feed.id, {
    feed,
    end(last) {
      if (!all.delete(feed.id)) return
      feed.stop()
      onEnd(last)
    },
  })
  return feed
}

const held = (session: Session, id: string): Feed | null => {
  const feed = allHeld().get(id)?.feed
  return feed?.session.id === session.id ? feed : null
}

function streamOfResync(): ReadableStream<Uint8Array> {
  const stream = new EventStream<NewsEvent>({ schedule, onOver: () => {} })
  stream.end({ type: 'resync' })
  return stream.body
}

/**
 * `left` aborts on disconnect: Next neither reads nor cancels the body if the connection closed before the handler
 * returned.
 */
export function openNewsStream(session: Session, asked: NewsAsked, left?: AbortSignal): ReadableStream<Uint8Array> {
  if (isShuttingDown() || left?.aborted) return streamOfResync()
  const end = () => allHeld().get(feed.id)?.end({ type: 'resync' })
  const stream = new EventStream<NewsEvent>({ schedule, onOver: end })
  const feed = hold(
    session,
    (event) => stream.send(event),
    (last) => last !== null && stream.end(last),
  )
  left?.addEventListener('abort', end)
  stream.send({ type: 'open', id: feed.id, actor: session.actor })
  feed.ask(asked)
  endIfOver(session)
  return stream.body
}

export const countStreams = (): number => allHeld().size

/** The session may have ended during the request, and its end is announced only once. */
function endIfOver(session: Session): void {
  if (liveSessions().has(session.id)) return
  for (const one of ofSession(allHeld(), session.id)) one.end({ type: 'closed', why: 'session-over' })
}

export function askFeed(session: Session, id: string, asked: NewsAsked): boolean {
  const feed = held(session, id)
  feed?.ask(asked)
  return feed !== null
}

const POLLED_KEPT_MS = 20_000
const FIRST_WITHIN_MS = 3_000
const WAITING_MAX = 256

interface Polled {
  readonly feed: Feed
  events: NewsEvent[]
  cancelEnd: () => void
}

const allPolled = (): Map<string, Polled> => perProcess('polled feeds', () => new Map())

/** Null if this process is stopping. */
export async function pollNews(
  session: Session,
  id: string | null,
  asked: NewsAsked,
): Promise<readonly NewsEvent[] | null> {
  if (isShuttingDown()) return null
  const polled = polledFeed(session, id) ?? openPolled(session)
  polled.cancelEnd()
  polled.feed.ask(asked)
  await polled.feed.told(FIRST_WITHIN_MS)
  polled.cancelEnd()
  if (allHeld().has(polled.feed.id)) {
    polled.cancelEnd = schedule(POLLED_KEPT_MS, () => allHeld().get(polled.feed.id)?.end({ type: 'resync' }))
  }
  endIfOver(session)
  const { events } = polled
  polled.events = []
  return events
}

function polledFeed(session: Session, id: string | null): Polled | null {
  const polled = id === null ? undefined : allPolled().get(id)
  return polled?.feed.session.id === session.id ? polled : null
}

function openPolled(session: Session): Polled {
  const all = allPolled()
  const take = (event: NewsEvent) => {
    if (polled.events.length < WAITING_MAX) polled.events.push(event)
    else allHeld().get(feed.id)?.end({ type: 'resync' })
  }
  const feed = hold(session, take, (last) => {
    all.delete(feed.id)
    polled.cancelEnd()
    if (last !== null) polled.events = [last]
  })
  const polled: Polled = { feed, events: [{ type: 'open', id: feed.id, actor: session.actor }], cancelEnd: () => {} }
  all.set(feed.id, polled)
  return polled
}
