import 'server-only'
import { z } from 'zod'
import { homeChanges } from '#lib/activity/open-changes.ts'
import { refusalProblem, refusedFrom } from '#lib/authorization/judge.ts'
import { type TopicName, topicEntries } from '#lib/authorization/routes.ts'
import type { CommandView, HomeChanges } from '#lib/commands/command.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { relayOf } from '#lib/disputes/live/case-relays.ts'
import { followedQueue, followQueue, readFollowedQueue } from '#lib/disputes/queue/followed-queue.ts'
import { followOwnCases, lookAtAssignments, ownCasesOf } from '#lib/disputes/unread/own-cases-of.ts'
import { readCaseWorkspace, showAsViewer } from '#lib/disputes/workspace/case-workspace.ts'
import type { Told } from '#lib/news/news-event.ts'
import { newsReader } from '#lib/news/news-reader.ts'
import type { Reading, StreamTopic, Topic, Topics, ValueTopic } from '#lib/news/topic.ts'
import { markOfSessions } from '#lib/session/all-sessions-table.ts'
import { idleMs } from '#lib/session/limits.ts'
import type { Session } from '#lib/session/session.ts'
import { warnBeforeMs } from '#lib/session/session-state.ts'
import { stateOf } from '#lib/session/state-of-session.ts'
import { findSession } from '#lib/session/vault/session-table.ts'
import { readStatementNews } from '#lib/statements/view.ts'
import { store } from '#lib/store/store.ts'
import { isApprovedView, nextReadMs, type WaitingNews } from './commands/command.ts'
import { waitingApprovals } from './commands/policy/approval-view.ts'
import { countAttention } from './commands/queries.ts'
import { readCommand } from './commands/reconcile.ts'
import { LATE_FOR_MS } from './commands/search.ts'

const caseId = z.guid()
const id = z.uuid()

const USUAL_PAUSE_MS = 250

/** Concurrent reads per topic, so that a change with many followers leaves store connections for pages. */
const OF_STORE = 4
/** For reads that may wait for the service. */
const OF_SERVICE = 32

const value = (value: unknown): Told => ({ ok: true, value })

const session: ValueTopic = {
  kind: 'value',
  pauseMs: USUAL_PAUSE_MS,
  readingsAtOnce: OF_STORE,
  keys: ({ id }) => [`session:${id}`],
  async read(of) {
    const row = await findSession(await store(), of.id)
    // The end of the feed announces the end of the session.
    if (row === undefined) return { told: undefined }
    const state = stateOf(of, row.last_active_at)
    const untilWarning = state.msLeft - warnBeforeMs(idleMs())
    const mark = `${row.ends_at} ${row.last_active_at} ${untilWarning <= 0}`
    return { told: value(state), mark, againMs: untilWarning > 0 ? untilWarning + 50 : null }
  },
}

const SNOOZED_AGAIN_MS = 15_000
const UNKNOWN_AGAIN_MS = 3_000

const ownCases: ValueTopic = {
  kind: 'value',
  pauseMs: USUAL_PAUSE_MS,
  readingsAtOnce: OF_STORE,
  keys: ({ actor }) => [`person:${actor}`],
  listen(of, wake) {
    const stops = [followOwnCases(of, wake), newsReader().follow([`person:${of.actor}`], () => lookAtAssignments(of))]
    return () => {
      for (const stop of stops) stop()
    }
  },
  async read(of) {
    const own = await ownCasesOf(of)
    if (own === undefined) return { told: undefined, againMs: UNKNOWN_AGAIN_MS }
    return {
      told: value(own),
      keys: own?.cases.map(({ id }) => `case:${id.toLowerCase()}`) ?? [],
      againMs: own !== null && own.snoozed > 0 ? SNOOZED_AGAIN_MS : null,
    }
  },
}

/** An open change wakes every open Home page. */
const HOME_PAUSE_MS = 1_000
/** Reads again, because changes older than 24 hours drop out. */
const HOME_AGAIN_MS = 300_000

const home: ValueTopic = {
  kind: 'value',
  pauseMs: HOME_PAUSE_MS,
  readingsAtOnce: OF_STORE,
  keys: ({ actor }) => ['open-changes', 'approvals', `sent-by:${actor}`],
  async read(of) {
    const changes = await homeChanges(of)
    return { told: value(changes), againMs: homeAgainMs(changes) }
  },
}

const homeAgainMs = ({ seen, late, lately }: HomeChanges): number =>
  Math.min(
    HOME_AGAIN_MS,
    ...[...seen, ...late, ...lately.changes].map((it: CommandView) => nextReadMs(it) ?? HOME_AGAIN_MS),
  )

/** Reads again, because the person's scopes may change. */
const WAITING_AGAIN_MS = 60_000

const waiting: ValueTopic = {
  kind: 'value',
  pauseMs: HOME_PAUSE_MS,
  readingsAtOnce: OF_STORE,
  keys: () => ['approvals', 'open-changes'],
  async read(of) {
    const since = new Date(Date.now() - LATE_FOR_MS).toISOString()
    const [{ toDecide, own, notApproved }, attention] = await Promise.all([
      waitingApprovals(of),
      store().then((db) => countAttention(db, since)),
    ])
    const news: WaitingNews = {
      toDecide: toDecide.map(({ id }) => id),
      approved: own.filter(isApprovedView).map(({ id }) => id),
      notApproved: notApproved.map(({ id }) => id),
      attention,
    }
    return { told: value(news), againMs: WAITING_AGAIN_MS }
  },
}

const command: ValueTopic = {
  kind: 'value',
  pauseMs: USUAL_PAUSE_MS,
  readingsAtOnce: OF_SERVICE,
  keys: (_session, id) => [`command:${id.toLowerCase()}`],
  async read(of, id): Promise<Reading> {
    const reply = await readCommand(of, id, false)
    if (!reply.ok) return { told: { ok: false, problem: reply.problem } }
    return { told: value(reply.command), againMs: nextReadMs(reply.command) }
  },
}

/** Reads again, to detect lost access and viewers of a process that died. */
const WORKSPACE_AGAIN_MS = 10_000

/** After 401, 403 or 404 the case is not read again until a new subscription. */
const workspace: ValueTopic = {
  kind: 'value',
  pauseMs: USUAL_PAUSE_MS,
  readingsAtOnce: OF_SERVICE,
  keys: (_session, id) => [`case:${id.toLowerCase()}`],
  async read(of, id) {
    const found = await readCaseWorkspace(of, id)
    if (found.ok) return { told: value(found.value), againMs: WORKSPACE_AGAIN_MS }
    const stays = [401, 403, 404].includes(found.problem.status ?? 0)
    return { told: found, againMs: stays ? null : WORKSPACE_AGAIN_MS }
  },
}

const STATEMENT_PAUSE_MS = 1_000
/** Reads again, to detect an expired lease. */
const WORK_AGAIN_MS = 5_000

const statement: ValueTopic = {
  kind: 'value',
  pauseMs: STATEMENT_PAUSE_MS,
  readingsAtOnce: OF_STORE,
  keys: (_session, id) => [`statement:${id}`, 'commands'],
  async read(_session, id) {
    const news = await readStatementNews(id)
    if (news === null)
      return {
        told: { ok: false, problem: problemOf('service', { status: 404, title: 'There is no such statement.' }) },
      }
    return { told: value(news), againMs: news.work.work === null ? null : WORK_AGAIN_MS }
  },
}

const QUEUE_PAUSE_MS = 500

const queue: ValueTopic = {
  kind: 'value',
  pauseMs: QUEUE_PAUSE_MS,
  readingsAtOnce: OF_STORE,
  keys: ({ actor }) => ['queue', `person:${actor}`],
  listen: followQueue,
  read: readFollowedQueue,
}

const SESSIONS_PAUSE_MS = 1_000

const sessions: ValueTopic = {
  kind: 'value',
  pauseMs: SESSIONS_PAUSE_MS,
  readingsAtOnce: OF_STORE,
  keys: () => ['sessions'],
  read: async () => ({ told: value(await markOfSessions(await store())) }),
}

/** A follower counts as a viewer once the service has sent the snapshot. */
const thread: StreamTopic = {
  kind: 'stream',
  open(of, id, tell) {
    let stopViewing: (() => void) | null = null
    const stop = relayOf(of)?.watch(id, (event) => {
      if (event.type === 'snapshot') stopViewing ??= showAsViewer(of, id)
      tell(value(event))
    })
    return () => {
      stop?.()
      stopViewing?.()
    }
  },
}

/** A tab shows one case. Without the hub, each case costs two service requests every five seconds. */
const CASES_MOST = 40

const nothing = (param: string): boolean => param === ''
const fits =
  (schema: z.ZodType) =>
  (param: string): boolean =>
    schema.safeParse(param).success

function topic(
  name: TopicName,
  takes: (param: string) => boolean,
  source: ValueTopic | StreamTopic,
  mostPerSession = Infinity,
): [string, Topic] {
  const entry = topicEntries[name]
  const refused = async (of: Session): Promise<Told | null> => {
    const refusal = entry === 'signed-in' ? null : await refusedFrom(of, entry)
    return refusal && { ok: false, problem: refusalProblem(refusal) }
  }
  return [name, { takes, refused, source, mostPerSession }]
}

export const topics: Topics = new Map([
  topic('session', nothing, session),
  topic('own-cases', nothing, ownCases),
  topic('home', nothing, home),
  topic('waiting', nothing, waiting),
  topic('command', fits(id), command),
  topic('workspace', fits(caseId), workspace, CASES_MOST),
  topic('statement', fits(id), statement),
  topic('queue', (param) => followedQueue(param) !== null, queue),
  topic('thread', fits(caseId), thread, CASES_MOST),
  topic('sessions', nothing, sessions),
])
