import 'server-only'
import { reviewOpenRequests } from '#lib/commands/policy/open-requests.ts'
import { resumeOpenCommandsFor } from '#lib/commands/reconcile.ts'
import { isShuttingDown, onShutdown, perProcess } from '#lib/config/per-process.ts'
import { liveSessions, onSessionEnded } from '#lib/session/live-sessions.ts'
import { Session } from '#lib/session/session.ts'
import { isAdminRule } from '#lib/session/sign-in/admission.ts'
import { findOpenHandles } from '#lib/session/vault/handle-table.ts'
import { runPeriodically } from '#lib/store/periodic.ts'
import { store } from '#lib/store/store.ts'
import { EventStream } from './event-stream.ts'
import { Feed } from './feed.ts'
import { schedule } from './schedule.ts'
import type { EndEvent, StreamEvent, TopicsRequest } from './stream-event.ts'
import type { Topics } from './topic.ts'

/** A browser has one, or two for a moment. */
const FEEDS_MAX = 6

const RESUME_EVERY_MS = 5_000
const RESUME_DEADLINE_MS = 15_000

interface OpenFeed {
  readonly feed: Feed
  end(last: EndEvent): void
}

const feeds = (): Map<string, OpenFeed> =>
  perProcess('feeds', () => {
    const all = new Map<string, OpenFeed>()
    onSessionEnded((sessionId) => {
      for (const open of ofSession(sessionId)) open.end({ type: 'closed', why: 'session-over' })
    })
    const stop = resumeInRounds(all)
    onShutdown(() => {
      stop()
      for (const open of [...all.values()]) open.end({ type: 'resync' })
    })
    return all
  })

function resumeInRounds(all: ReadonlyMap<string, OpenFeed>): () => void {
  const round = async () => {
    await endFeedsOfOldHandles()
    const sessions = new Set([...all.values()].map(({ feed }) => feed.session))
    await resumeOpenCommandsFor(sessions)
    await reviewOpenRequests(sessions)
  }
  return runPeriodically(round, { everyMs: RESUME_EVERY_MS, deadlineMs: RESUME_DEADLINE_MS, onFailure: () => {} })
}

/** A stream must not outlive its session, the grace period of a replaced handle, or an administrator claim. */
export async function endFeedsOfOldHandles(): Promise<void> {
  for (const open of [...feeds().values()]) {
    if (Date.parse(open.feed.session.endsAt) <= Date.now()) open.end({ type: 'closed', why: 'session-over' })
  }
  const all = [...feeds().values()]
  if (all.length === 0) return
  const handleOf = ({ feed }: OpenFeed) => Session.handleOf(feed.session).idHash
  const adminRules = await findOpenHandles(await store(), [...new Set(all.map(handleOf))])
  for (const open of all) {
    const [rule, { id, adminByClaim }] = [adminRules.get(handleOf(open)), open.feed.session]
    if (rule === undefined || isAdminRule(rule, id) !== adminByClaim) open.end({ type: 'resync' })
  }
}

const feedsBySession = () => perProcess('feeds by session', () => new Map<string, Set<OpenFeed>>())

/** The oldest first. */
const ofSession = (sessionId: string): OpenFeed[] => [...(feedsBySession().get(sessionId) ?? [])]

const registered = () => perProcess('topics', () => ({ topics: new Map() as Topics }))
export function registerTopics(topics: Topics): void {
  registered().topics = topics
}

function openFeed(session: Session, send: (event: StreamEvent) => void, onEnd: (last: EndEvent) => void): Feed {
  const all = feeds()
  const open = ofSession(session.id)
  for (const oldest of open.slice(0, Math.max(0, open.length - FEEDS_MAX + 1))) oldest.end({ type: 'resync' })
  const topicsOfSession = (name: string) => new Set(ofSession(session.id).flatMap(({ feed }) => feed.topicsNamed(name)))
  const feed = new Feed({ session, topics: registered().topics, schedule, send, topicsOfSession })
  const opened: OpenFeed = {
    feed,
    end(last) {
      if (!all.delete(feed.id)) return
      const left = feedsBySession().get(session.id)
      left?.delete(opened)
      if (left?.size === 0) feedsBySession().delete(session.id)
      feed.stop()
      onEnd(last)
    },
  }
  all.set(feed.id, opened)
  feedsBySession().set(session.id, (feedsBySession().get(session.id) ?? new Set()).add(opened))
  return feed
}

const openEvent = ({ id, session }: Feed): StreamEvent => ({ type: 'open', id, actor: session.actor })

const endFeed = (id: string, last: EndEvent): void => feeds().get(id)?.end(last)

/** The session may have ended during the request, and its end is announced only once. */
function endIfOver(session: Session): void {
  if (liveSessions().has(session.id)) return
  for (const open of ofSession(session.id)) open.end({ type: 'closed', why: 'session-over' })
}

export const countStreams = (): number => feeds().size

/** `left` aborts on disconnect: Next leaves the body alone if the connection closed before the handler returned. */
export function openEventStream(
  session: Session,
  request: TopicsRequest,
  left?: AbortSignal,
): ReadableStream<Uint8Array> {
  if (isShuttingDown() || left?.aborted) return resyncStream()
  const end = () => endFeed(feed.id, { type: 'resync' })
  const stream = new EventStream<StreamEvent>({ schedule, onOver: end })
  const feed = openFeed(
    session,
    (event) => stream.send(event),
    (last) => stream.end(last),
  )
  left?.addEventListener('abort', end)
  stream.send(openEvent(feed))
  feed.setTopics(request)
  endIfOver(session)
  return stream.body
}

function resyncStream(): ReadableStream<Uint8Array> {
  const stream = new EventStream<StreamEvent>({ schedule, onOver: () => {} })
  stream.end({ type: 'resync' })
  return stream.body
}

export function setFeedTopics(session: Session, id: string, request: TopicsRequest): boolean {
  const feed = feeds().get(id)?.feed
  if (feed?.session.id !== session.id) return false
  feed.setTopics(request)
  return true
}

const POLLED_KEPT_MS = 20_000
const FIRST_WITHIN_MS = 3_000
const WAITING_MAX = 256

interface PolledFeed {
  readonly feed: Feed
  events: StreamEvent[]
  cancelEnd: () => void
}

const polledFeeds = (): Map<string, PolledFeed> => perProcess('polled feeds', () => new Map())

/** Null if this process is stopping. */
export async function pollEvents(
  session: Session,
  id: string | null,
  request: TopicsRequest,
): Promise<readonly StreamEvent[] | null> {
  if (isShuttingDown()) return null
  const polled = findPolledFeed(session, id) ?? openPolledFeed(session)
  polled.cancelEnd()
  polled.feed.setTopics(request)
  await polled.feed.complete(FIRST_WITHIN_MS)
  polled.cancelEnd()
  if (feeds().has(polled.feed.id)) {
    polled.cancelEnd = schedule(POLLED_KEPT_MS, () => endFeed(polled.feed.id, { type: 'resync' }))
  }
  endIfOver(session)
  const { events } = polled
  polled.events = []
  return events
}

function findPolledFeed(session: Session, id: string | null): PolledFeed | null {
  const polled = id === null ? undefined : polledFeeds().get(id)
  return polled?.feed.session.id === session.id ? polled : null
}

function openPolledFeed(session: Session): PolledFeed {
  const all = polledFeeds()
  const take = (event: StreamEvent) => {
    if (polled.events.length < WAITING_MAX) polled.events.push(event)
    else endFeed(feed.id, { type: 'resync' })
  }
  const feed = openFeed(session, take, (last) => {
    all.delete(feed.id)
    polled.cancelEnd()
    polled.events = [last]
  })
  const polled: PolledFeed = { feed, events: [openEvent(feed)], cancelEnd: () => {} }
  all.set(feed.id, polled)
  return polled
}
