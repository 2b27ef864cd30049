import 'server-only'
import { permits } from '#lib/authorization/judge.ts'
import { partiesOf } from '#lib/disputes/queue/admin-view.ts'
import { type AdminView, timeKey } from '#lib/disputes/queue/queue.ts'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { refreshThreads } from './refresh-threads.ts'
import { type ThreadState, threadStateOf } from './thread-state.ts'
import { knownThreads } from './thread-table.ts'

export type ListedCase = Pick<
  ThreadCase,
  'id' | 'referenceId' | 'raisedByUserId' | 'counterpartyUserId' | 'status' | 'createdAt'
>

/**
 * By lower-case id. Requires admin view and the scope, because other sessions may have read the threads. Refreshes old
 * ones for the next request.
 */
export async function threadsFor(
  session: Session,
  cases: readonly ListedCase[],
  adminView: AdminView,
): Promise<ReadonlyMap<string, ThreadState>> {
  if (adminView !== 'proved' || !(await permits(session, 'caseWorkspace.read'))) return new Map()
  const me = session.userId.toLowerCase()
  const shown = cases.filter((found) => !partiesOf(found).includes(me))
  const known = await knownThreads(
    await store(),
    session.actor,
    shown.map(({ id }) => id),
  )
  const open = shown.filter(({ status }) => status === 'OPEN')
  void refreshThreads(session, open.toSorted(byAge), known)
  const states = shown.flatMap((found): [string, ThreadState][] => {
    const thread = known.get(found.id.toLowerCase())
    if (thread === undefined) return []
    const sides = { raisedBy: found.raisedByUserId, against: found.counterpartyUserId, payer: thread.payer }
    return [
      [found.id.toLowerCase(), threadStateOf(thread.writers, sides, { me, resolved: found.status === 'RESOLVED' })],
    ]
  })
  return new Map(states)
}

const byAge = (one: ListedCase, other: ListedCase): number =>
  timeKey(one.createdAt) < timeKey(other.createdAt) ? -1 : 1
