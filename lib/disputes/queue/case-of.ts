import 'server-only'
import type { Session } from '#lib/session/session.ts'
import { sweptFor } from './session-sweeps.ts'
import { shortfallWords } from './shortfall-words.ts'

/** The dispute case of a transaction. `none` is proved: a whole list that an admin sees holds none. */
export type CaseOf =
  | { readonly kind: 'case'; readonly caseId: string }
  | { readonly kind: 'none' }
  /** Why, and whether asking again may tell. */
  | { readonly kind: 'not-known'; readonly why: string; readonly again: boolean }

/** Looks for the case of a transaction among all cases, at most half a minute old. */
export async function caseOf(session: Session, reference: string): Promise<CaseOf> {
  const { latest, whole, adminView } = await sweptFor(session, 'ALL')
  const found = (whole ?? latest).cases.find(({ referenceId }) => referenceId === reference)
  if (found !== undefined) return { kind: 'case', caseId: found.id }
  if (latest.shortfall !== null) {
    return { kind: 'not-known', why: shortfallWords(latest), again: latest.shortfall !== 'too-many' }
  }
  if (latest.unreadable > 0) return { kind: 'not-known', why: 'Some of the cases cannot be read.', again: false }
  return adminView === 'proved' ? { kind: 'none' } : { kind: 'not-known', why: NOT_EVERYBODYS, again: false }
}

const NOT_EVERYBODYS = 'It takes a whole list of cases, seen by an admin.'
