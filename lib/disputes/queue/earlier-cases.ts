import 'server-only'
import { refusalProblem, refusedFrom } from '#lib/authorization/judge.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { sameAccount } from '#lib/values/ids.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import type { CaseCount } from './case-counts.ts'
import { casesWith, countCasesWith } from './case-index-table.ts'
import { unreadWords } from './index-words.ts'
import { lookFor } from './look.ts'

const EARLIER_MAX = 50

export interface EarlierCase {
  readonly id: string
  readonly reference: string
  readonly role: 'raised-by' | 'against'
  readonly status: string
  readonly createdAt: string
  readonly resolvedAt: string | null
  readonly outcome: string | null
}

export interface EarlierCases {
  readonly cases: readonly EarlierCase[]
  /** These count all cases, not only those listed. */
  readonly counts: readonly CaseCount[]
}

export interface EarlierNotKnown {
  readonly notKnown: string
}

/** Requires admin view and the scope, because the index holds what other sessions read. */
export async function earlierCasesWith(
  session: Session,
  partyId: string,
  exceptCaseId: string,
): Promise<EarlierCases | EarlierNotKnown> {
  const refusal = await refusedFrom(session, 'caseIndex.read')
  if (refusal !== null) return { notKnown: visibleText(refusalProblem(refusal).title ?? '') }
  const { adminView, problem } = await lookFor(session)
  if (adminView !== 'proved') {
    // If the list could not be read, admin view is unknown.
    return { notKnown: problem === null ? 'Your admin view is not proved.' : unreadWords(problem) }
  }
  const db = await store()
  const [rows, counts] = await Promise.all([
    casesWith(db, partyId, { except: exceptCaseId, limit: EARLIER_MAX }),
    countCasesWith(db, partyId, exceptCaseId),
  ])
  const cases = rows.map((row) => ({
    id: row.id,
    reference: row.reference,
    role: sameAccount(row.raised_by, partyId) ? ('raised-by' as const) : ('against' as const),
    status: row.status,
    createdAt: row.created_at,
    resolvedAt: row.resolved_at,
    outcome: row.outcome,
  }))
  return { cases, counts }
}
