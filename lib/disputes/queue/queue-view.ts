import 'server-only'
import { permits } from '#lib/authorization/judge.ts'
import type { Row } from '#lib/contract/wire.ts'
import { type CasesAsked, listCases } from '#lib/disputes/dispute-service.ts'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import { claimsOf } from '#lib/disputes/workspace/claim-table.ts'
import { snoozesOf } from '#lib/disputes/workspace/snooze-table.ts'
import type { Result } from '#lib/service/answer.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { adminViewOf, partiesOf } from './admin-view.ts'
import { noteCases } from './note-cases.ts'
import {
  type AdminView,
  type CaseList,
  type OpenCount,
  oldestUnassignedIn,
  orderOf,
  type QueueRow,
  type QueueView,
} from './queue.ts'
import { sweptAtHand, sweptFor } from './session-sweeps.ts'
import { shortfallWords } from './shortfall-words.ts'

/** Longer reasons are read in the case itself. */
const REASON_CHARS = 240

/** A list of cases in its order, with who has each: whole where it could be read whole, else what came of it. */
export async function queueFor(session: Session, list: CaseList): Promise<QueueView> {
  const { latest, whole, adminView } = await sweptFor(session, list)
  const { cases, unreadable, total } = whole ?? latest
  const rows = await withClaims(session, cases.filter(isOn(list)), adminView)
  return {
    list,
    rows: rows.toSorted(orderOf(list)),
    completeAt: whole?.readAt ?? null,
    total: whole === null ? total : rows.length + unreadable,
    unreadable,
    adminView,
    shortfall: latest.shortfall,
    problem: latest.problem,
  }
}

/** One page of a list, as the service cuts it and orders it. */
export async function queuePage(
  session: Session,
  list: CaseList,
  { page, pageSize }: Pick<CasesAsked, 'page' | 'pageSize'>,
): Promise<Result<{ readonly rows: readonly Row<QueueRow>[]; readonly total: number }>> {
  const readAt = new Date().toISOString()
  const status = list === 'ALL' ? null : list
  const result = await listCases(session, { all: true, status, page, pageSize })
  if (!result.ok) return result
  const { cases, totalCount: total } = result.value
  const readable = cases.flatMap((row) => (row.readable ? [row.value] : []))
  const [rows] = await Promise.all([
    withClaims(session, readable, adminViewOf(session.userId, readable)),
    noteCases(readable, readAt),
  ])
  const inOrder = rows.values()
  const shown = cases.map((row): Row<QueueRow> => {
    const next = row.readable ? inOrder.next() : null
    return next === null || next.done ? { readable: false } : { readable: true, value: next.value }
  })
  return { ...result, value: { rows: shown, total } }
}

/** The oldest open case without an assignee in which the person is no party; null when there is none, or no whole list. */
export async function oldestUnassigned(session: Session): Promise<QueueRow | null> {
  const { rows, completeAt } = await queueFor(session, 'OPEN')
  return completeAt === null ? null : (oldestUnassignedIn(rows, session.userId) ?? null)
}

/** {@link OpenCount} from the list at hand; null as well when nobody has read one. Asks the service for nothing. */
export function openCountAtHand(session: Session): OpenCount {
  const swept = sweptAtHand(session, 'OPEN')
  if (swept === null) return null
  const { whole, latest, adminView } = swept
  if (whole === null) return { notKnown: shortfallWords(latest) }
  return adminView === 'proved' ? whole.cases.filter(isOn('OPEN')).length + whole.unreadable : null
}

/** The service filters for admins only, and a case may have been resolved since the list was read. */
const isOn = (list: CaseList) => (found: ThreadCase) => list === 'ALL' || found.status === list

async function withClaims(
  session: Session,
  cases: readonly ThreadCase[],
  adminView: AdminView,
): Promise<readonly QueueRow[]> {
  const ids = cases.map(({ id }) => id)
  const db = await store()
  const [mayRead, claims, snoozes] = await Promise.all([
    permits(session, 'caseWorkspace.read'),
    claimsOf(db, ids),
    snoozesOf(db, ids),
  ])
  const me = session.userId.toLowerCase()
  return cases.map((found) => {
    const claim = claims.get(found.id.toLowerCase())
    const snoozed = snoozes.get(found.id.toLowerCase())
    const assignee =
      claim === undefined
        ? null
        : {
            name: claim.holderName,
            mine: claim.holder === session.actor,
            ...(snoozed === undefined ? {} : { snoozed: { until: snoozed.until } }),
          }
    const forStaff = mayRead && adminView === 'proved' && !partiesOf(found).includes(me)
    return { ...rowOf(found), claim: forStaff ? assignee : 'hidden' }
  })
}

const rowOf = (found: ThreadCase) => ({
  id: found.id,
  reference: found.referenceId,
  status: found.status,
  createdAt: found.createdAt,
  resolvedAt: found.resolvedAt,
  reason: [...found.reason].slice(0, REASON_CHARS).join(''),
  raisedBy: found.raisedByUserId,
  against: found.counterpartyUserId,
  outcome: found.resolutionOutcome,
})
