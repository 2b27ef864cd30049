import 'server-only'
import { permits } from '#lib/authorization/judge.ts'
import type { Row } from '#lib/contract/endpoint.ts'
import { type CaseListRequest, listCases } from '#lib/disputes/dispute-service.ts'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import { type ListedCase, threadsFor } from '#lib/disputes/unread/threads-for.ts'
import { claimsOf, snoozesOf } from '#lib/disputes/workspace/workspace-tables.ts'
import type { Result } from '#lib/service/client.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { sameAccount } from '#lib/values/ids.ts'
import {
  adminViewOf,
  beginningOf,
  countByStatus,
  type IndexedCase,
  latestInIndex,
  partiesOf,
  recordCases,
} from './case-index.ts'
import { CaseQuery, type ClaimedCase, type Reader } from './case-index-query.ts'
import { type CaseListProbe, cachedProbe, probeCaseList } from './case-list-probe.ts'
import { readableIn, type SweepState, sweepsNow } from './case-sweeps.ts'
import { dueAt, overTargetKey } from './decision-target.ts'
import {
  type AdminView,
  type AgeId,
  ageOf,
  byAge,
  type CaseList,
  type FollowedQueue,
  type IndexState,
  isNarrowed,
  notices,
  type OpenCount,
  type QueueFilter,
  type QueuePlaces,
  type QueueRow,
  type QueueSince,
  type QueueView,
  type ShownRows,
  usesAmounts,
  usesThreads,
} from './queue.ts'
import { readAmounts } from './transaction-facts.ts'
import { chosenWords, openCountOf } from './words.ts'

const AROUND = 25
const CANDIDATES_MAX = 10

/** Without admin view it returns the first page of the person's own cases. */
export const queueFor = async (
  session: Session,
  filter: QueueFilter,
  places: QueuePlaces,
  shown: ShownRows | null = null,
): Promise<QueueView> => await queueBy(session, await probeCaseList(session), { filter, places, shown })

/** Waits for the service only if the session has no cached probe; {@link followQueue} refreshes that. */
export const queueNow = async (session: Session, followed: FollowedQueue): Promise<QueueView> =>
  await queueBy(session, cachedProbe(session) ?? (await probeCaseList(session)), followed)

async function queueBy(
  session: Session,
  probe: CaseListProbe,
  { filter, places, shown }: Omit<FollowedQueue, 'shown'> & { readonly shown: ShownRows | null },
): Promise<QueueView> {
  const { adminView } = probe
  if (adminView !== 'proved') return ownView(probe, filter, places)
  const [reader, state, db] = await Promise.all([readerOf(session), sweepsNow(), store()])
  const query = new CaseQuery(db, filter, reader)
  const { arrival, version } = await latestInIndex(db)
  const byStatus = await countByStatus(db)
  const isOfAll = filter.list === 'OPEN' && filter.assignee === null && !isNarrowed(filter)
  const [{ total: matching, ...counts }, from] = await Promise.all([
    'around' in places && isOfAll
      ? query.claimCounts(byStatus.get('OPEN') ?? 0)
      : query.counts(isTable(places) || usesThreads(filter)),
    placeOf(query, places),
  ])
  const after =
    'around' in places && from > 0
      ? await query.rowsAround(places.around, AROUND, limitOf(places))
      : await query.rows(from, limitOf(places), matching)
  // The case may have left the index meanwhile.
  const rows = !('page' in places) && after.length === 0 ? await query.rows(0, limitOf(places)) : after
  const stale = usesThreads(filter) ? await query.leastRecentlyRead() : []
  const [threads, amountsUnread] = await Promise.all([
    threadsFor(session, [...rows, ...stale].map(listedCase), adminView),
    unreadAmounts(session, query, filter, reader),
  ])
  const { unreadable } = state
  const total = matching + unreadable
  const open = byStatus.get('OPEN') ?? 0
  const listed = filter.list === 'ALL' ? sum(byStatus.values()) : (byStatus.get(filter.list) ?? 0)
  return {
    ...{ filter, places, version },
    rows: rows.map((row) => claimedRow(row, reader, threads.get(row.id_key))),
    firstPlace: from + 1,
    total,
    unreadableHere: Math.max(0, Math.min(from + limitOf(places), total) - Math.max(from, matching)),
    unreadable,
    listed: listed + unreadable,
    counts,
    open: openCountOf(state, open + unreadable),
    adminView,
    index: indexStateOf(probe, state),
    arrival,
    since: shown && (await sinceShown(query, rows, shown, reader)),
    amountsUnread,
  }
}

/** Also begins to read them, fifty at a time. */
async function unreadAmounts(
  session: Session,
  query: CaseQuery,
  filter: QueueFilter,
  { seesAmounts }: Reader,
): Promise<QueueView['amountsUnread']> {
  if (!usesAmounts(filter)) return 0
  if (!seesAmounts) return 'hidden'
  const [count, toRead] = await Promise.all([query.countUnreadAmounts(), query.amountsToRead()])
  readAmounts(session, toRead)
  return count
}

export async function queuePage(
  session: Session,
  list: CaseList,
  { page, pageSize }: Pick<CaseListRequest, 'page' | 'pageSize'>,
): Promise<Result<{ readonly rows: readonly Row<QueueRow>[]; readonly total: number }>> {
  const readAt = new Date().toISOString()
  const result = await listCases(session, { all: true, status: list === 'ALL' ? null : list, page, pageSize })
  if (!result.ok) return result
  const { cases, totalCount: total } = result.value
  const readable = readableIn(result.value)
  const [shown] = await Promise.all([
    rowsOf(session, readable, adminViewOf(session.userId, readable)),
    recordCases(readable, readAt),
  ])
  const inOrder = shown.values()
  const rows = cases.map((row): Row<QueueRow> => {
    const next = row.readable ? inOrder.next() : null
    return next === null || next.done ? { readable: false } : { readable: true, value: next.value }
  })
  return { ...result, value: { rows, total } }
}

/** Unassigned open cases that match the rest of the filter, the most urgent first. `none`: why there are no cases. */
export async function nextUnassigned(session: Session, chosen: QueueFilter) {
  const filter = { ...chosen, list: 'OPEN', claim: 'unassigned', assignee: null, sort: null } as const
  const probe = await probeCaseList(session)
  const [reader, state, db] = await Promise.all([readerOf(session), sweepsNow(), store()])
  const isKnown = probe.adminView === 'proved' && state.completeAt !== null
  const nowMs = Date.now()
  const query = new CaseQuery(db, filter, reader, nowMs)
  const found = isKnown ? await query.mostUrgent(CANDIDATES_MAX, overTargetKey(nowMs)) : []
  const ranked = { nowMs, narrowed: isNarrowed(filter) }
  const places = { page: 1, size: 1 }
  return {
    cases: found.map((one) => ({ id: one.id, chosen: chosenWords({ ...one, dueAt: dueAt(one.createdAt) }, ranked) })),
    none: found.length > 0 ? null : await queueBy(session, probe, { filter, places, shown: null }),
  }
}

/** Null if the session has no cached probe. */
export async function openCountAtHand(session: Session): Promise<OpenCount> {
  const probe = cachedProbe(session)
  if (probe === null) return null
  const state = await sweepsNow()
  if (probe.problem !== null && probe.adminView !== 'proved') {
    return openCountOf({ ...state, completeAt: null, problem: probe.problem, shortfall: 'problem' }, 0)
  }
  if (probe.adminView !== 'proved') return null
  const open = (await countByStatus(await store())).get('OPEN') ?? 0
  return openCountOf(state, open + state.unreadable)
}

export async function readerOf(session: Session): Promise<Reader> {
  const { userId, actor } = session
  const [seesClaims, seesAmounts] = await Promise.all([
    permits(session, 'caseWorkspace.read'),
    permits(session, 'caseAmounts.read'),
  ])
  return { userId, actor, seesClaims, seesAmounts }
}

/** Shorter lists do not show how many cases each filter would leave. */
const TABLE_ROWS_MIN = 20

const isTable = (places: QueuePlaces): boolean => 'page' in places && places.size >= TABLE_ROWS_MIN

async function placeOf(query: CaseQuery, places: QueuePlaces): Promise<number> {
  if ('page' in places) return (places.page - 1) * places.size
  if ('after' in places) return await query.countUpTo(places.after)
  return Math.max(0, ((await query.placeByAge(places.around)) ?? 0) - AROUND)
}

function limitOf(places: QueuePlaces): number {
  if ('page' in places) return places.size
  return 'after' in places ? CANDIDATES_MAX : 2 * AROUND + 1
}

const sum = (counts: Iterable<number>): number => [...counts].reduce((all, count) => all + count, 0)

async function sinceShown(
  query: CaseQuery,
  rows: readonly ClaimedCase[],
  { ids, arrival }: ShownRows,
  reader: Reader,
): Promise<QueueSince> {
  const here = new Set(rows.map(({ id_key }) => id_key))
  const away = ids.map((id) => id.toLowerCase()).filter((key) => !here.has(key))
  const [arrived, elsewhere] = await Promise.all([query.arrivedAfter(arrival), query.among(away)])
  return {
    arrived,
    arrivedHere: rows.filter((row) => row.arrival > arrival).map(({ id }) => id),
    elsewhere: elsewhere.map((row) => claimedRow(row, reader)),
  }
}

/** The session's own failure matters more than the sweep's. */
function indexStateOf({ problem }: CaseListProbe, state: SweepState) {
  const { completeAt, oldestReadAt, newestReadAt, reading } = state
  const kept = { completeAt, oldestReadAt, newestReadAt, reading }
  return problem === null
    ? { ...kept, shortfall: state.shortfall, problem: state.problem }
    : { ...kept, shortfall: 'problem' as const, problem }
}

const listedCase = (row: IndexedCase): ListedCase => ({
  id: row.id,
  referenceId: row.reference,
  raisedByUserId: row.raised_by,
  counterpartyUserId: row.counterparty,
  status: row.status,
  createdAt: row.created_at,
})

export function claimedRow(
  row: ClaimedCase,
  { userId, actor, seesClaims }: Reader,
  thread: QueueRow['thread'] = null,
): QueueRow {
  const forStaff = seesClaims && !sameAccount(row.raised_by, userId) && !sameAccount(row.counterparty, userId)
  const snoozed = row.snoozed ? { snoozed: { until: row.until } } : {}
  const claim = row.holder === null ? null : { name: row.holder_name ?? '', mine: row.holder === actor, ...snoozed }
  return {
    id: row.id,
    reference: row.reference,
    status: row.status,
    createdAt: row.created_at,
    resolvedAt: row.resolved_at,
    reason: row.reason,
    raisedBy: row.raised_by,
    against: row.counterparty,
    outcome: row.outcome,
    category: forStaff ? row.category : null,
    answerBy: forStaff ? row.answer_by : null,
    claim: forStaff ? claim : 'hidden',
    thread,
    notices: notices.filter((notice) => row[notice]),
  }
}

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
  ...{ category: null, answerBy: null },
  claim,
  thread,
  notices: [],
})

async function rowsOf(
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

/** Without admin view: the service's first page, oldest first. Complete if there is no further page. */
function ownView(probe: CaseListProbe, filter: QueueFilter, places: QueuePlaces): QueueView {
  const { page } = probe
  const found = page === null ? [] : readableIn(page)
  const listed = found.filter(({ status }) => filter.list === 'ALL' || status === filter.list)
  // The person is a party of each case, and parties may not see claims and threads.
  const { claim, assignee, category, turn, unread: isUnread, notice, amountFrom, amountTo } = filter
  const wantedOfWork = [claim, assignee, category, turn, notice, amountFrom, amountTo]
  const matches = wantedOfWork.every((request) => request === null) && !isUnread
  const rows = matches ? listed.map((one) => rowOf(one, 'hidden')).toSorted(byAge) : []
  const unreadable = page === null ? 0 : page.cases.length - found.length
  const from = 'page' in places ? (places.page - 1) * places.size : 0
  const index = ownIndex(probe)
  const now = Date.now()
  const ofAge = (age: AgeId) => rows.filter(({ createdAt }) => ageOf(createdAt, now) === age).length
  return {
    ...{ filter, places },
    version: Date.parse(probe.readAt),
    rows: 'page' in places ? rows.slice(from, from + places.size) : rows,
    firstPlace: from + 1,
    total: rows.length + unreadable,
    unreadableHere: 0,
    unreadable,
    listed: listed.length + unreadable,
    counts: {
      ...{ claims: null, turns: null, unread: null, notices: null, assignees: null, categories: null },
      ages: { day: ofAge('day'), three: ofAge('three'), week: ofAge('week'), older: ofAge('older') },
    },
    open: probe.problem === null ? null : openCountOf(index, 0),
    adminView: 'not-proved',
    index,
    arrival: 0,
    since: null,
    amountsUnread: 0,
  }
}

function ownIndex({ page, readAt, problem }: CaseListProbe): IndexState {
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
