import 'server-only'
import { permits } from '#lib/authorization/judge.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { sameAccount } from '#lib/values/user-id.ts'
import { casesWith } from './case-index-table.ts'
import { lookFor } from './look.ts'

/** Older ones are counted no more: `more` says that there are some. */
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
  readonly more: boolean
}

/**
 * Other cases of a party, out of the index. Null for a person who does not work on cases, or of whom it is not proved that
 * they see everybody's: what the console saw with other eyes is not theirs.
 */
export async function earlierCasesWith(
  session: Session,
  partyId: string,
  exceptCaseId: string,
): Promise<EarlierCases | null> {
  if (!(await permits(session, 'caseIndex.read'))) return null
  const { adminView } = await lookFor(session)
  if (adminView !== 'proved') return null
  const rows = await casesWith(await store(), partyId, { except: exceptCaseId, limit: EARLIER_MAX + 1 })
  const cases = rows.slice(0, EARLIER_MAX).map((row) => ({
    id: row.id,
    reference: row.reference,
    role: sameAccount(row.raised_by, partyId) ? ('raised-by' as const) : ('against' as const),
    status: row.status,
    createdAt: row.created_at,
    resolvedAt: row.resolved_at,
    outcome: row.outcome,
  }))
  return { cases, more: rows.length > EARLIER_MAX }
}
