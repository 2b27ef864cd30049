import 'server-only'
import { refusalProblem, refusedFrom } from '#lib/authorization/judge.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { sameAccount } from '#lib/values/user-id.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import type { CaseCount } from './case-counts.ts'
import { casesWith, countCasesWith } from './case-index-table.ts'
import { unreadWords } from './index-words.ts'
import { lookFor } from './look.ts'

/** Older ones are counted, and not given one by one. */
const EARLIER_MAX = 50

/** A case of a party, as it was read last. */
export interface EarlierCase {
  readonly id: string
  readonly reference: string
  /** Who paid is not known from a case alone, only who raised it. */
  readonly role: 'raised-by' | 'against'
  readonly status: string
  readonly createdAt: string
  readonly resolvedAt: string | null
  /** As the service wrote it. */
  readonly outcome: string | null
}

export interface EarlierCases {
  /** Newest first. */
  readonly cases: readonly EarlierCase[]
  /** Of all of them. */
  readonly counts: readonly CaseCount[]
}

/** Why nothing is told of them. */
export interface EarlierNotKnown {
  readonly notKnown: string
}

/**
 * Other cases of a party, out of the index. Not known for a person who does not work on cases, or of whom it is not proved
 * that they see everybody's: what the console saw with other eyes is not theirs.
 */
export async function earlierCasesWith(
  session: Session,
  partyId: string,
  exceptCaseId: string,
): Promise<EarlierCases | EarlierNotKnown> {
  const refusal = await refusedFrom(session, 'caseIndex.read')
  if (refusal !== null) return { notKnown: visibleText(refusalProblem(refusal).title ?? '') }
  const { adminView, problem } = await lookFor(session)
  if (adminView !== 'proved') {
    // A list that was not read proves nothing either way.
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
