import 'server-only'
import { z } from 'zod'
import { homeChanges } from '#lib/activity/open-changes.ts'
import { refusalProblem, refusedFrom, refusedWithoutScopes } from '#lib/authorization/judge.ts'
import { type TopicName, topicEntries } from '#lib/authorization/routes.ts'
import {
  type CommandView,
  type HomeChanges,
  isApprovedView,
  isUndecidedView,
  nextReadMs,
  type WaitingState,
} from '#lib/commands/command.ts'
import { findOverdue } from '#lib/commands/policy/approval-list.ts'
import { waitingApprovals } from '#lib/commands/policy/approval-view.ts'
import { countChangesNeedingAttention } from '#lib/commands/queries.ts'
import { readCommand } from '#lib/commands/reconcile.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { handOversFor } from '#lib/deposits/hand-over.ts'
import { relayOf } from '#lib/disputes/live/session-relay.ts'
import { followedQueue, followQueue, readFollowedQueue } from '#lib/disputes/queue/followed-queue.ts'
import { assignedCasesOf, followOwnCases, rereadAssignments } from '#lib/disputes/unread/read-assigned-cases.ts'
import { readCaseWorkspace, showAsViewer } from '#lib/disputes/workspace/case-workspace.ts'
import { rememberShown } from '#lib/look-up/recent-things.ts'
import { onServiceSilence, serviceSilentSince } from '#lib/service/client.ts'
import { idleMs, stateOf } from '#lib/session/limits.ts'
import type { Session } from '#lib/session/session.ts'
import { markOfSessions } from '#lib/session/session-lists.ts'
import { warnBeforeMs } from '#lib/session/session-state.ts'
import { findSession } from '#lib/session/vault/session-table.ts'
import { STATEMENT_NOT_FOUND } from '#lib/statements/statement-list.ts'
import { readStatementProgress } from '#lib/statements/view.ts'
import { store } from '#lib/store/store.ts'
import { changeFeed } from '#lib/stream/change-feed.ts'
import type { TopicResult } from '#lib/stream/stream-event.ts'
import type { Reading, StreamSource, Topic, Topics, ValueSource } from '#lib/stream/topic.ts'

const caseId = z.guid()
const id = z.uuid()

const USUAL_PAUSE_MS = 250

/** Concurrent reads are bounded per topic, so that a change with many subscribers leaves store connections for pages. */
const ofStore = (pauseMs: number) => ({ kind: 'value', pauseMs, maxReads: 4 }) as const
const ofService = { kind: 'value', pauseMs: USUAL_PAUSE_MS, maxReads: 32 } as const

const value = (value: unknown): TopicResult => ({ ok: true, value })

const session: ValueSource = {
  ...ofStore(USUAL_PAUSE_MS),
  keys: ({ id }) => [`session:${id}`],
  listen: (_of, wake) => onServiceSilence(wake),
  async read(of) {
    const row = await findSession(await store(), of.id)
    // The end of the feed announces the end of the session.
    if (row === undefined) return { result: undefined }
    const state = { ...stateOf(of, row.last_active_at), serviceSilentSince: serviceSilentSince() }
    const untilWarning = state.msLeft - warnBeforeMs(idleMs())
    const fingerprint = `${row.ends_at} ${row.last_active_at} ${state.serviceSilentSince} ${untilWarning <= 0}`
    return { result: value(state), fingerprint, againMs: untilWarning > 0 ? untilWarning + 50 : null }
  },
}

const SNOOZED_AGAIN_MS = 15_000
const UNKNOWN_AGAIN_MS = 3_000

const ownCases: ValueSource = {
  ...ofStore(USUAL_PAUSE_MS),
  keys: ({ actor }) => [`person:${actor}`],
  listen(of, wake) {
    const stops = [followOwnCases(of, wake), changeFeed().listen([`person:${of.actor}`], () => rereadAssignments(of))]
    return () => {
      for (const stop of stops) stop()
    }
  },
  async read(of) {
    const own = await assignedCasesOf(of)
    if (own === undefined) return { result: undefined, againMs: UNKNOWN_AGAIN_MS }
    return {
      result: value(own),
      keys: own?.cases.map(({ id }) => `case:${id.toLowerCase()}`) ?? [],
      againMs: own !== null && own.snoozed > 0 ? SNOOZED_AGAIN_MS : null,
    }
  },
}

/** An empty list without scopes would look like no work. Scopes may lapse during the read. */
const withScopes =
  (read: (of: Session) => Promise<Reading>): ValueSource['read'] =>
  async (of) => {
    const unread = async (): Promise<Reading | null> => {
      const refusal = await refusedWithoutScopes(of)
      return refusal && { result: { ok: false, problem: refusalProblem(refusal) } }
    }
    const reading = (await unread()) ?? (await read(of))
    return (await unread()) ?? reading
  }

/** An open change wakes every open Home page. */
const HOME_PAUSE_MS = 1_000
/** Reads again, because changes older than 24 hours drop out. */
const HOME_AGAIN_MS = 300_000

const home: ValueSource = {
  ...ofStore(HOME_PAUSE_MS),
  keys: ({ actor }) => ['open-changes', 'approvals', `sent-by:${actor}`, `hand-overs:${actor}`],
  read: withScopes(async (of) => {
    const [changes, handOvers] = await Promise.all([homeChanges(of), handOversFor(of)])
    return { result: value({ ...changes, handOvers }), againMs: homeAgainMs(changes) }
  }),
}

const homeAgainMs = ({ seen, late, lately }: HomeChanges): number =>
  Math.min(
    HOME_AGAIN_MS,
    ...[...seen, ...late, ...lately.changes].map((it: CommandView) => nextReadMs(it) ?? HOME_AGAIN_MS),
  )

/** Reads again, because the person's scopes may change. */
const WAITING_AGAIN_MS = 60_000

const waiting: ValueSource = {
  ...ofStore(HOME_PAUSE_MS),
  keys: () => ['approvals', 'open-changes'],
  read: withScopes(async (of) => {
    const [{ toDecide, own, endedUnsent }, attention] = await Promise.all([
      waitingApprovals(of),
      store().then(countChangesNeedingAttention),
    ])
    const undecided = toDecide.filter(isUndecidedView).map(({ id }) => id)
    const news: WaitingState = {
      toDecide: undecided,
      overdue: Object.keys(await findOverdue(undecided)),
      approved: own.filter(isApprovedView).map(({ id }) => id),
      endedUnsent: endedUnsent.map(({ id }) => id),
      attention,
    }
    return { result: value(news), againMs: WAITING_AGAIN_MS }
  }),
}

const command: ValueSource = {
  ...ofService,
  keys: (_session, id) => [`command:${id.toLowerCase()}`],
  async read(of, id): Promise<Reading> {
    const reply = await readCommand(of, id, false)
    if (!reply.ok) return { result: { ok: false, problem: reply.problem } }
    return { result: value(reply.command), againMs: nextReadMs(reply.command) }
  },
}

/** Reads again, to detect lost access and viewers of a process that died. */
const WORKSPACE_AGAIN_MS = 10_000

/** After 401, 403 or 404 the case is not read again until a new subscription. */
const workspace: ValueSource = {
  ...ofService,
  keys: (_session, id) => [`case:${id.toLowerCase()}`],
  async read(of, id) {
    const found = await readCaseWorkspace(of, id)
    if (found.ok) return { result: value(found.value), againMs: WORKSPACE_AGAIN_MS }
    const stays = [401, 403, 404].includes(found.problem.status ?? 0)
    return { result: found, againMs: stays ? null : WORKSPACE_AGAIN_MS }
  },
}

const STATEMENT_PAUSE_MS = 1_000
/** Reads again, to detect an expired lease. */
const WORK_AGAIN_MS = 5_000

const statement: ValueSource = {
  ...ofStore(STATEMENT_PAUSE_MS),
  keys: (_session, id) => [`statement:${id}`, 'commands'],
  async read(_session, id) {
    const news = await readStatementProgress(id)
    if (news === null)
      return { result: { ok: false, problem: problemOf('service', { status: 404, title: STATEMENT_NOT_FOUND }) } }
    return { result: value(news), againMs: news.work.work === null ? null : WORK_AGAIN_MS }
  },
}

const QUEUE_PAUSE_MS = 500

const queue: ValueSource = {
  ...ofStore(QUEUE_PAUSE_MS),
  keys: ({ actor }) => ['queue', `person:${actor}`],
  listen: followQueue,
  read: readFollowedQueue,
}

const SESSIONS_PAUSE_MS = 1_000

const sessions: ValueSource = {
  ...ofStore(SESSIONS_PAUSE_MS),
  keys: () => ['sessions'],
  async read({ id }) {
    const db = await store()
    const mark = await markOfSessions(db)
    // A page that is refreshed after its own end would leave for sign-in.
    return { result: (await findSession(db, id)) === undefined ? undefined : value(mark) }
  },
}

/** A subscriber counts as a viewer once the service has sent the snapshot; a page that was read ahead does not. */
const thread: StreamSource = {
  kind: 'stream',
  open(of, id, send) {
    let stopViewing: (() => void) | null = null
    const stop = relayOf(of)?.watch(id, (event) => {
      if (event.type === 'snapshot' && stopViewing === null) {
        stopViewing = showAsViewer(of, id)
        void rememberShown(of.actor, { kind: 'case', id, label: '' })
      }
      send(value(event))
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
  accepts: (param: string) => boolean,
  source: ValueSource | StreamSource,
  maxPerSession = Infinity,
): [string, Topic] {
  const entry = topicEntries[name]
  const refusalOf = async (of: Session): Promise<TopicResult | null> => {
    const refusal = entry === 'signed-in' ? null : await refusedFrom(of, entry)
    return refusal && { ok: false, problem: refusalProblem(refusal) }
  }
  return [name, { accepts, refusalOf, source, maxPerSession }]
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
