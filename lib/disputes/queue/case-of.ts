import 'server-only'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { indexedCaseOf } from './case-index-table.ts'
import { readableIn, sweepsNow, waitForSweep } from './case-sweeps.ts'
import { indexWords, unreadWords } from './index-words.ts'
import { lookFor } from './look.ts'
import type { IndexState } from './queue.ts'

/** How long a complete sweep proves that there is no case. */
const PROVES_FOR_MS = 30_000
const WAIT_MS = 5_000

/** `none` is proved by a complete sweep of all cases. */
export type CaseOf =
  | { readonly kind: 'case'; readonly caseId: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'not-known'; readonly why: string; readonly again: boolean }

/** With admin view it asks the index, otherwise it searches the cases that the service shows. */
export async function caseOf(session: Session, reference: string): Promise<CaseOf> {
  const { adminView, page, problem } = await lookFor(session)
  if (adminView === 'proved') return await caseInIndex(reference)
  const found = page && readableIn(page).find(({ referenceId }) => referenceId === reference)
  if (found) return { kind: 'case', caseId: found.id }
  return problem === null ? notKnown(NOT_EVERYBODYS, false) : notKnown(unreadWords(problem), true)
}

async function caseInIndex(reference: string): Promise<CaseOf> {
  const db = await store()
  const known = await indexedCaseOf(db, reference)
  if (known !== undefined) return { kind: 'case', caseId: known.id }
  if (!provesNow(await sweepsNow())) await waitForSweep(WAIT_MS)
  const state = await sweepsNow()
  const found = await indexedCaseOf(db, reference)
  if (found !== undefined) return { kind: 'case', caseId: found.id }
  if (!provesNow(state)) return notKnown(indexWords(state) || OLD, true)
  return state.unreadable > 0 ? notKnown('Some of the cases cannot be read.', false) : { kind: 'none' }
}

const provesNow = ({ completeAt, shortfall }: IndexState): boolean =>
  shortfall === null && completeAt !== null && Date.now() - Date.parse(completeAt) <= PROVES_FOR_MS

const notKnown = (why: string, again: boolean): CaseOf => ({ kind: 'not-known', why, again })

const NOT_EVERYBODYS = 'It takes a whole list of cases, seen by an admin.'
const OLD = 'The latest complete sweep of all cases is too old to tell, and the next one is not complete yet.'
