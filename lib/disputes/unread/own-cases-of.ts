import 'server-only'
import { refusedFrom } from '#lib/authorization/judge.ts'
import { onShutdown } from '#lib/config/on-shutdown.ts'
import { perProcess } from '#lib/config/per-process.ts'
import { relayOf } from '#lib/disputes/live/session-relay.ts'
import { partiesOf } from '#lib/disputes/queue/admin-view.ts'
import { noteCase } from '#lib/disputes/queue/note-cases.ts'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import { snoozesOf } from '#lib/disputes/workspace/snooze-table.ts'
import { liveSessions, onSessionEnded } from '#lib/session/live-sessions.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { schedule } from '#lib/stream/schedule.ts'
import { OwnCaseFollower } from './own-case-follower.ts'
import { byTurn, FOLLOWED_MAX, type OwnCase, type OwnCases } from './own-cases.ts'
import { learnPayer } from './refresh-threads.ts'
import { threadStateOf } from './thread-state.ts'
import { assignedTo, type KnownThread, knownThreads } from './thread-table.ts'

const REASON_CHARS = 80

/**
 * Returns only what this session could read, and does not wait for the service. Starts following. Null if the person
 * may not work on cases; undefined while unknown.
 */
export async function ownCasesOf(session: Session): Promise<OwnCases | null | undefined> {
  const followings = followerOf(session)?.ask() ?? { kind: 'not-known' as const }
  if (followings.kind !== 'known') return followings.kind === 'refused' ? null : undefined
  const { cases, more } = followings
  const ids = cases.map(({ id }) => id)
  const db = await store()
  const [known, snoozed] = await Promise.all([knownThreads(db, session.actor, ids), snoozesOf(db, ids)])
  const own = cases
    .filter(({ id }) => !snoozed.has(id))
    .map(({ id, found }) => ownCase(session, id, found, known.get(id)))
  return { cases: own.toSorted(byTurn), more, snoozed: cases.length - own.length }
}

export async function ownCasesSoon(session: Session, withinMs: number): Promise<OwnCases | null | undefined> {
  await followerOf(session)?.settled(withinMs)
  return await ownCasesOf(session)
}

/** Returns how to stop. */
export function followOwnCases(session: Session, changed: () => void): () => void {
  return followerOf(session)?.listen(changed) ?? (() => {})
}

export const lookAtAssignments = (session: Session): void => followers().get(session.id)?.lookAgain()

function ownCase(session: Session, id: string, found: ThreadCase | null, thread: KnownThread | undefined): OwnCase {
  // Other sessions read the thread, so it is hidden from parties and from people who cannot read the case.
  if (found === null || thread === undefined || isParty(session, found)) return { id, reason: null, thread: null }
  const sides = { raisedBy: found.raisedByUserId, against: found.counterpartyUserId, payer: thread.payer }
  return {
    id: found.id,
    reason: [...found.reason].slice(0, REASON_CHARS).join(''),
    thread: threadStateOf(thread.writers, sides, { me: session.userId, resolved: false }),
  }
}

const isParty = (session: Session, found: ThreadCase): boolean =>
  partiesOf(found).includes(session.userId.toLowerCase())

/** Null if the session is over. */
function followerOf(session: Session): OwnCaseFollower | null {
  const all = followers()
  if (!liveSessions().has(session.id)) return null
  const follower = all.get(session.id) ?? follow(session, () => all.delete(session.id))
  all.set(session.id, follower)
  return follower
}

const follow = (session: Session, onOver: () => void): OwnCaseFollower =>
  new OwnCaseFollower({
    watch: (caseId, listener) => relayOf(session)?.watch(caseId, listener) ?? null,
    ownCases: () => readOwnCases(session),
    onCase: (found) => void noteOwnCase(session, found).catch(() => {}),
    onOver,
    schedule,
    now: () => Date.now(),
  })

async function readOwnCases(session: Session) {
  const { ids, total } = await assignedTo(await store(), session.actor, FOLLOWED_MAX)
  // Avoids asking the service for scopes all day when there is nothing to protect.
  if (total === 0) return { ids, more: 0 }
  const refusal = await refusedFrom(session, 'caseWorkspace.read')
  if (refusal !== null) return refusal.known ? 'refused' : 'not-known'
  return { ids, more: total - ids.length }
}

/** Ends the claim of a resolved case, and reads once who paid. */
async function noteOwnCase(session: Session, found: ThreadCase): Promise<void> {
  await noteCase(found)
  if (found.status === 'RESOLVED') return
  const thread = (await knownThreads(await store(), session.actor, [found.id])).get(found.id.toLowerCase())
  if (thread?.payer == null) await learnPayer(session, found)
}

const followers = (): Map<string, OwnCaseFollower> =>
  perProcess('own cases', () => {
    const all = new Map<string, OwnCaseFollower>()
    onSessionEnded((sessionId) => all.get(sessionId)?.stop())
    onShutdown(() => {
      for (const follower of [...all.values()]) follower.stop()
    })
    return all
  })
