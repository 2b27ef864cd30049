import 'server-only'
import pLimit from 'p-limit'
import { permits } from '#lib/authorization/judge.ts'
import { boundedCache, isFirstOf, perProcess } from '#lib/config/per-process.ts'
import { threadService } from '#lib/disputes/dispute-service.ts'
import { partiesOf } from '#lib/disputes/queue/case-index.ts'
import type { AdminView } from '#lib/disputes/queue/queue.ts'
import { CaseThread, readMessages } from '#lib/disputes/thread/case-thread.ts'
import { type ThreadCase, timeKey } from '#lib/disputes/thread/thread.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { readTransaction } from '#lib/transactions/transaction-service.ts'
import { type ThreadState, threadStateOf } from './thread-state.ts'
import { type KnownThread, knownThreads, recordThread, savePayer } from './thread-table.ts'

export type ListedCase = Pick<
  ThreadCase,
  'id' | 'referenceId' | 'raisedByUserId' | 'counterpartyUserId' | 'status' | 'createdAt'
>

/** By lower-case id. Requires admin view and the scope: other sessions may have read them. Refreshes old ones. */
export async function threadsFor(
  session: Session,
  cases: readonly ListedCase[],
  adminView: AdminView,
): Promise<ReadonlyMap<string, ThreadState>> {
  if (adminView !== 'proved' || !(await permits(session, 'caseWorkspace.read'))) return new Map()
  const me = session.userId.toLowerCase()
  const shown = cases.filter((found) => !partiesOf(found).includes(me))
  const ids = shown.map(({ id }) => id)
  const known = await knownThreads(await store(), session.actor, ids)
  void refreshThreads(session, shown.filter(({ status }) => status === 'OPEN').toSorted(byAge), known)
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

/** Leaves capacity for the page that is shown. */
const AT_ONCE = 2
/** Per thread, across all sessions and processes. */
const EVERY_SECONDS = 30
const ROWS_MAX = 150
const ASKED_MAX = 5_000
const PAYER_EVERY_MS = 600_000

type CaseToRead = Pick<ThreadCase, 'id' | 'referenceId'>

/** Never rejects. */
async function refreshThreads(
  session: Session,
  cases: readonly CaseToRead[],
  known: ReadonlyMap<string, KnownThread>,
): Promise<void> {
  const recent = perProcess('thread refreshes', () => boundedCache<true>(ASKED_MAX, EVERY_SECONDS * 1000))
  const due = cases
    .slice(0, ROWS_MAX)
    .map((found) => ({ found, thread: known.get(found.id.toLowerCase()) }))
    .filter(({ thread }) => thread === undefined || thread.ageSeconds >= EVERY_SECONDS)
    .filter(({ found }) => !recent.has(found.id.toLowerCase()))
  for (const { found } of due) recent.set(found.id.toLowerCase(), true)
  await pLimit(AT_ONCE).map(due, ({ found, thread }) => readOne(session, found, thread?.payer ?? null).catch(() => {}))
}

async function readOne(session: Session, found: CaseToRead, payer: string | null): Promise<void> {
  const thread = new CaseThread()
  const reading = { service: threadService(session), caseId: found.id, thread, onEvent: () => {} }
  if ((await readMessages(reading)) !== null) return
  await recordThread(found.id, thread.messages)
  if (payer === null) await cachePayer(session, found)
}

/** The payer never changes. */
export async function cachePayer(session: Session, { id, referenceId }: CaseToRead): Promise<void> {
  if (!isFirstOf('payers asked for', `${session.id} ${id.toLowerCase()}`, PAYER_EVERY_MS, ASKED_MAX)) return
  const transaction = await readTransaction(session, referenceId)
  if (transaction.ok) await savePayer(await store(), id, transaction.value.fromAccountId)
}
