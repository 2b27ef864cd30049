import 'server-only'
import { refusedFrom } from '#lib/authorization/judge.ts'
import { onShutdown, perProcess } from '#lib/config/per-process.ts'
import type { CaseEvent } from '#lib/disputes/live/case-stream.ts'
import { type CaseListener, relayOf } from '#lib/disputes/live/session-relay.ts'
import { partiesOf, recordCases } from '#lib/disputes/queue/case-index.ts'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import { endWatches, noticesFor, type StoredNotice } from '#lib/disputes/workspace/case-notices.ts'
import { NO_SCOPE } from '#lib/disputes/workspace/case-people.ts'
import { claimsOf, snoozesOf } from '#lib/disputes/workspace/workspace-tables.ts'
import { liveSessions, onSessionEnded } from '#lib/session/live-sessions.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { type Schedule, schedule } from '#lib/stream/schedule.ts'
import {
  type AssignedCase,
  type AssignedCases,
  byTurn,
  type CaseNotice,
  type CasesBeyond,
  FOLLOWED_MAX,
} from './assigned-cases.ts'
import { threadStateOf } from './thread-state.ts'
import { casesOf, type KnownThread, knownThreads } from './thread-table.ts'
import { cachePayer } from './threads-for.ts'

const REASON_CHARS = 80

/** Without waiting for the service. Starts following. Null: may not work on cases; undefined: unknown. */
export async function assignedCasesOf(session: Session): Promise<AssignedCases | null | undefined> {
  const followings = followerOf(session)?.ask() ?? { kind: 'not-known' as const }
  if (followings.kind !== 'known') return followings.kind === 'refused' ? null : undefined
  const { cases, more } = followings
  if (cases.length === 0) return { cases: [], more, snoozed: 0 }
  const ids = cases.map(({ id }) => id)
  const db = await store()
  const { actor } = session
  const [known, snoozes, claims, notices] = await Promise.all([
    knownThreads(db, actor, ids),
    snoozesOf(db, ids),
    claimsOf(db, ids),
    noticesFor(db, actor),
  ])
  const own = cases.flatMap((one) => {
    const assigned = claims.get(one.id)?.holder === actor && one.found?.status !== 'RESOLVED'
    const notice = noticeOf(session, one, assigned, notices.get(one.id))
    return assigned || notice !== null ? [{ ...one, assigned, notice }] : []
  })
  const isSnoozed = ({ id, assigned, notice }: (typeof own)[number]) =>
    assigned && (notice?.mention ?? null) === null && snoozes.has(id)
  const snoozed = own.filter(isSnoozed)
  return {
    cases: own
      .filter((one) => !isSnoozed(one))
      .map(({ id, found, notice }) => ({
        ...ownCase(session, id, found, known.get(id)),
        ...(notice === null ? {} : { notice }),
      }))
      .toSorted(byTurn),
    more,
    snoozed: snoozed.length,
    snoozedCases: snoozed
      .map(({ id, found }) => ownCase(session, id, found, known.get(id)))
      .map(({ id, thread }) => ({ id, thread })),
  }
}

/** Null for a party, and for a case that only its assignee may know of. */
function noticeOf(
  session: Session,
  { found, hidden }: FollowedCase,
  assigned: boolean,
  stored: StoredNotice | undefined,
): CaseNotice | null {
  if (stored === undefined || hidden || (found !== null && isParty(session, found))) return null
  const resolved = found?.status === 'RESOLVED'
  return {
    assigned,
    mention: stored.mention,
    watch: stored.watch && { ...stored.watch, resolved, ...(resolved ? { assignee: null } : {}) },
  }
}

export async function assignedCasesWithin(
  session: Session,
  withinMs: number,
): Promise<AssignedCases | null | undefined> {
  await followerOf(session)?.settled(withinMs)
  return await assignedCasesOf(session)
}

export const followOwnCases = (session: Session, changed: () => void): (() => void) =>
  followerOf(session)?.listen(changed) ?? (() => {})

export const rereadAssignments = (session: Session): void => followers().get(session.id)?.lookAgain()

function ownCase(
  session: Session,
  id: string,
  found: ThreadCase | null,
  thread: KnownThread | undefined,
): AssignedCase {
  // Other sessions read the thread, so it is hidden from parties and from people who cannot read the case.
  if (found === null || thread === undefined || isParty(session, found)) {
    return { id, reason: null, thread: null, openSince: null }
  }
  const resolved = found.status === 'RESOLVED'
  const sides = { raisedBy: found.raisedByUserId, against: found.counterpartyUserId, payer: thread.payer }
  return {
    id: found.id,
    reason: [...found.reason].slice(0, REASON_CHARS).join(''),
    thread: threadStateOf(thread.writers, sides, { me: session.userId, resolved }),
    openSince: resolved ? null : found.createdAt,
  }
}

const isParty = (session: Session, found: ThreadCase): boolean =>
  partiesOf(found).includes(session.userId.toLowerCase())

function followerOf(session: Session): AssignedCaseFollower | null {
  const all = followers()
  if (!liveSessions().has(session.id)) return null
  const follower = all.get(session.id) ?? follow(session, () => all.delete(session.id))
  all.set(session.id, follower)
  return follower
}

const follow = (session: Session, onOver: () => void): AssignedCaseFollower =>
  new AssignedCaseFollower({
    watch: (caseId, listener) => relayOf(session)?.watch(caseId, listener) ?? null,
    ownCases: () => readOwnCases(session),
    onCase: (found, readAt) => void noteOwnCase(session, found, readAt).catch(() => {}),
    onOver,
    schedule,
    now: () => Date.now(),
  })

async function readOwnCases(session: Session) {
  const own = await casesOf(await store(), session.actor, FOLLOWED_MAX)
  // Avoids asking the service for scopes all day when there is nothing to protect.
  if (own.ids.length === 0) return own
  const refusal = await refusedFrom(session, 'caseWorkspace.read')
  if (refusal === null) return own
  if (refusal.known) await endWatches(session.actor, NO_SCOPE)
  return refusal.known ? 'refused' : 'not-known'
}

/** Ends the claim of a resolved case, and reads once who paid. */
async function noteOwnCase(session: Session, found: ThreadCase, readAt: string): Promise<void> {
  await recordCases([found], readAt)
  if (found.status === 'RESOLVED') return
  const thread = (await knownThreads(await store(), session.actor, [found.id])).get(found.id.toLowerCase())
  if (thread?.payer == null) await cachePayer(session, found)
}

const followers = (): Map<string, AssignedCaseFollower> =>
  perProcess('own cases', () => {
    const all = new Map<string, AssignedCaseFollower>()
    onSessionEnded((sessionId) => all.get(sessionId)?.stop())
    onShutdown(() => {
      for (const follower of [...all.values()]) follower.stop()
    })
    return all
  })

const LOOK_MS = 5_000
/** Listeners also learn of assignments from the change feed. */
const LISTENED_LOOK_MS = 60_000
const KEPT_MS = 120_000

export interface FollowerOptions {
  /** Returns how to stop; null if the session is over. */
  readonly watch: (caseId: string, listener: CaseListener) => (() => void) | null
  readonly ownCases: () => Promise<
    { readonly ids: readonly string[]; readonly more: CasesBeyond } | 'refused' | 'not-known'
  >
  readonly onCase: (found: ThreadCase, readAt: string) => void
  readonly onOver: () => void
  readonly schedule: Schedule
  readonly now: () => number
}

interface Followed {
  /** Null before the first read, or if the person may not read it. */
  found: ThreadCase | null
  hidden: boolean
  answered: boolean
  stop: () => void
}

type FollowedCase = Readonly<Pick<Followed, 'found' | 'hidden'>> & { readonly id: string }

type Followings =
  | { readonly kind: 'refused' | 'not-known' }
  | { readonly kind: 'known'; readonly cases: readonly FollowedCase[]; readonly more: CasesBeyond }

/** Follows one person's open cases. Ends two minutes after the last request. */
export class AssignedCaseFollower {
  readonly #options: FollowerOptions
  readonly #followed = new Map<string, Followed>()
  #state: 'known' | 'refused' | 'not-known' = 'not-known'
  #more: CasesBeyond = { assigned: 0, watched: 0 }
  #askedAt: number
  #over = false
  #cancelNext: () => void = () => {}
  #looking = false
  #again = false
  readonly #listeners = new Set<() => void>()
  #whenAnswered: () => void = () => {}

  constructor(options: FollowerOptions) {
    this.#options = options
    this.#askedAt = options.now()
    void this.#look()
  }

  ask(): Followings {
    this.#askedAt = this.#options.now()
    if (this.#state !== 'known') return { kind: this.#state }
    const cases = [...this.#followed].map(([id, { found, hidden }]) => ({ id, found, hidden }))
    return { kind: 'known', cases, more: this.#more }
  }

  /** Keeps it running. Returns how to stop. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#askedAt = this.#options.now()
      this.#listeners.delete(listener)
      this.lookAgain()
    }
  }

  lookAgain(): void {
    if (this.#over) return
    this.#again = this.#looking
    if (this.#looking) return
    this.#cancelNext()
    void this.#look()
  }

  /** Resolves once every case was read or found unreadable, or after `withinMs`. */
  settled(withinMs: number): Promise<void> {
    return new Promise((done) => {
      const cancel = this.#options.schedule(withinMs, done)
      const before = this.#whenAnswered
      this.#whenAnswered = () => {
        before()
        cancel()
        done()
      }
      this.#tellIfAnswered()
    })
  }

  stop(): void {
    if (this.#over) return
    this.#over = true
    this.#cancelNext()
    this.#unfollow(() => true)
    this.#options.onOver()
  }

  async #look(): Promise<void> {
    const { now, ownCases, schedule } = this.#options
    if (this.#listeners.size === 0 && now() - this.#askedAt > KEPT_MS) return this.stop()
    this.#looking = true
    // The next look retries after a failure.
    const own = await ownCases().catch(() => 'not-known' as const)
    this.#looking = false
    if (this.#over) return
    if (typeof own === 'object') this.#follow(own.ids, own.more)
    else this.#lose(own)
    this.#tellIfAnswered()
    this.#tellListeners()
    if (this.#over) return
    if (this.#again) return this.lookAgain()
    const known = own !== 'not-known' && this.#listeners.size > 0
    this.#cancelNext = schedule(known ? LISTENED_LOOK_MS : LOOK_MS, () => void this.#look())
  }

  #follow(ids: readonly string[], more: CasesBeyond): void {
    this.#state = 'known'
    this.#more = more
    const wanted = new Set(ids.map((id) => id.toLowerCase()))
    this.#unfollow((id) => !wanted.has(id))
    for (const id of wanted) if (!this.#over && !this.#followed.has(id)) this.#begin(id)
  }

  /** While the person's scopes are unknown, it keeps following. */
  #lose(why: 'refused' | 'not-known'): void {
    this.#state = why
    if (why === 'refused') this.#unfollow(() => true)
  }

  #begin(id: string): void {
    const followed: Followed = { found: null, hidden: false, answered: false, stop: () => {} }
    this.#followed.set(id, followed)
    const stop = this.#options.watch(id, (...heard) => this.#hear(followed, ...heard))
    if (stop === null) this.stop()
    else if (this.#followed.get(id) !== followed) stop()
    else followed.stop = stop
  }

  #hear(followed: Followed, event: CaseEvent, readAt: string): void {
    if (event.type === 'snapshot' || event.type === 'case') {
      followed.found = event.case
      followed.hidden = false
      followed.answered = true
      this.#options.onCase(event.case, readAt)
    } else if (event.type === 'status' && event.status.problem !== null) {
      const { status } = event.status.problem
      followed.hidden ||= status === 403 || status === 404
      if (followed.hidden) followed.found = null
      followed.answered = true
    }
    this.#tellIfAnswered()
    this.#tellListeners()
  }

  #tellListeners(): void {
    for (const listener of [...this.#listeners]) listener()
  }

  #unfollow(which: (id: string) => boolean): void {
    for (const [id, { stop }] of [...this.#followed]) {
      if (!which(id)) continue
      this.#followed.delete(id)
      stop()
    }
  }

  #tellIfAnswered(): void {
    const waiting = this.#state === 'not-known' || [...this.#followed.values()].some(({ answered }) => !answered)
    if (waiting) return
    const tell = this.#whenAnswered
    this.#whenAnswered = () => {}
    tell()
  }
}
