import 'server-only'
import { permits } from '#lib/authorization/judge.ts'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import { threadsFor } from '#lib/disputes/unread/threads-for.ts'
import { claimsOf } from '#lib/disputes/workspace/claim-table.ts'
import { snoozesOf } from '#lib/disputes/workspace/snooze-table.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { partiesOf } from './admin-view.ts'
import { beginningOf } from './case-index-table.ts'
import { readableIn } from './case-sweeps.ts'
import { openCountOf } from './index-words.ts'
import type { Look } from './look.ts'
import {
  type AdminView,
  type AgeId,
  ageOf,
  byAge,
  type IndexState,
  type QueueAsked,
  type QueuePlaces,
  type QueueRow,
  type QueueView,
} from './queue.ts'

const rowOf = (found: ThreadCase, claim: QueueRow['claim'], thread: QueueRow['thread'] = null): QueueRow => ({
  id: found.id,
  reference: found.referenceId,
  status: found.status,
  createdAt: found.createdAt,
  resolvedAt: found.resolvedAt,
  reason: beginningOf(found.reason),
  raisedBy: found.raisedByUserId,
  against: found.counterpartyUserId,
  outcome: found.resolutionOutcome,
  claim,
  thread,
})

export async function rowsOf(
  session: Session,
  cases: readonly ThreadCase[],
  adminView: AdminView,
): Promise<readonly QueueRow[]> {
  const ids = cases.map(({ id }) => id)
  const db = await store()
  const [mayRead, claims, snoozes, threads] = await Promise.all([
    permits(session, 'caseWorkspace.read'),
    claimsOf(db, ids),
    snoozesOf(db, ids),
    threadsFor(session, cases, adminView),
  ])
  const me = session.userId.toLowerCase()
  return cases.map((found) => {
    const claim = claims.get(found.id.toLowerCase())
    const until = snoozes.get(found.id.toLowerCase())
    const snoozed = until === undefined ? {} : { snoozed: { until: until.until } }
    const assignee =
      claim === undefined ? null : { name: claim.holderName, mine: claim.holder === session.actor, ...snoozed }
    const forStaff = mayRead && adminView === 'proved' && !partiesOf(found).includes(me)
    return rowOf(found, forStaff ? assignee : 'hidden', threads.get(found.id.toLowerCase()))
  })
}

/**
 * Without admin view the queue is the service's first page, oldest first. It is complete if there is no further page.
 */
export function ownView(look: Look, asked: QueueAsked, places: QueuePlaces): QueueView {
  const { page } = look
  const found = page === null ? [] : readableIn(page)
  const listed = found.filter(({ status }) => asked.list === 'ALL' || status === asked.list)
  // The person is a party of each case, and parties may not see claims.
  const rows = asked.claim === null ? listed.map((one) => rowOf(one, 'hidden')).toSorted(byAge) : []
  const unreadable = page === null ? 0 : page.cases.length - found.length
  const from = 'page' in places ? (places.page - 1) * places.size : 0
  const index = ownIndex(look)
  const now = Date.now()
  const ofAge = (age: AgeId) => rows.filter(({ createdAt }) => ageOf(createdAt, now) === age).length
  return {
    ...{ asked, places },
    version: Date.parse(look.readAt),
    rows: 'page' in places ? rows.slice(from, from + places.size) : rows,
    firstPlace: from + 1,
    total: rows.length + unreadable,
    unreadableHere: 0,
    unreadable,
    listed: listed.length + unreadable,
    counts: {
      claims: null,
      ages: { day: ofAge('day'), three: ofAge('three'), week: ofAge('week'), older: ofAge('older') },
    },
    open: look.problem === null ? null : openCountOf(index, 0),
    adminView: 'not-proved',
    index,
    arrival: 0,
    since: null,
  }
}

function ownIndex({ page, readAt, problem }: Look): IndexState {
  const whole = page !== null && page.cases.length === page.totalCount
  return {
    completeAt: whole ? readAt : null,
    oldestReadAt: readAt,
    newestReadAt: readAt,
    reading: null,
    shortfall: problem === null ? null : 'problem',
    problem,
  }
}
