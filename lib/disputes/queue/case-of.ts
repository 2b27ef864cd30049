import 'server-only'
import type { Session } from '#lib/session/session.ts'
import { sweptFor } from './session-sweeps.ts'

/** The dispute case of a transaction. `none` is proved: a whole list that an admin sees holds none. */
export type CaseOf =
  | { readonly kind: 'case'; readonly caseId: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'not-known' }

/** Looks for the case of a transaction among all cases, at most half a minute old. */
export async function caseOf(session: Session, reference: string): Promise<CaseOf> {
  const { latest, whole, adminView } = await sweptFor(session, 'ALL')
  const found = (whole ?? latest).cases.find(({ referenceId }) => referenceId === reference)
  if (found !== undefined) return { kind: 'case', caseId: found.id }
  const proved = adminView === 'proved' && latest.shortfall === null && latest.unreadable === 0
  return { kind: proved ? 'none' : 'not-known' }
}
