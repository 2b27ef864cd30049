import 'server-only'
import { sql } from 'kysely'
import { permits, refusalProblem, refusedFrom } from '#lib/authorization/judge.ts'
import type { DisputeCase } from '#lib/contract/disputes.ts'
import { readCase } from '#lib/disputes/dispute-service.ts'
import { type Result, serviceNowMs } from '#lib/service/client.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { isUuid, sameAccount } from '#lib/values/ids.ts'
import { visibleText } from '#lib/values/text.ts'
import { casesWith, countCasesWith, indexedCaseOf } from './case-index.ts'
import { cachedProbe, probeCaseList } from './case-list-probe.ts'
import { readableIn, sweepsNow, waitForSweep } from './case-sweeps.ts'
import type { IndexState, QueueRow } from './queue.ts'
import { ageWords, type CaseCount, incompleteWords, indexWords } from './words.ts'

/** How long a complete sweep proves that there is no case. */
const PROVES_FOR_MS = 30_000
const WAIT_MS = 5_000

/** `none` is proved by a complete sweep of all cases. */
export type CaseOf =
  | { readonly kind: 'case'; readonly caseId: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'not-known'; readonly why: string; readonly again: boolean }

export async function caseOf(session: Session, reference: string): Promise<CaseOf> {
  const { adminView, page, problem } = await probeCaseList(session)
  if (adminView === 'proved') return await caseInIndex(reference)
  const found = page && readableIn(page).find(({ referenceId }) => referenceId === reference)
  if (found) return { kind: 'case', caseId: found.id }
  return problem === null ? notKnown(NOT_EVERYBODYS, false) : notKnown(incompleteWords(problem), true)
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
  return state.unreadable > 0 ? notKnown('Some cases cannot be read.', false) : { kind: 'none' }
}

const provesNow = ({ completeAt, shortfall }: IndexState): boolean =>
  shortfall === null && completeAt !== null && Date.now() - Date.parse(completeAt) <= PROVES_FOR_MS

const notKnown = (why: string, again: boolean): CaseOf => ({ kind: 'not-known', why, again })

const NOT_EVERYBODYS = 'It needs the full case list, read as admin.'
const OLD = 'The case list is out of date and still being refreshed.'

const WITHOUT_CASE_MAX = 50
/** A case that was raised a moment before the list was read may be missing from it. */
const NEWER_THAN_LIST_MS = 60_000

export interface DisputedWithoutCase {
  readonly reference: string
  /** ISO 8601, by the service's clock if it sent its time. */
  readonly firstSeenAt: string
}

/** At most 50 last seen `DISPUTED` of which the whole list has no case, oldest first. Empty if not known. */
export async function disputedWithoutCase(session: Session): Promise<readonly DisputedWithoutCase[]> {
  const [mayList, mayRead] = await Promise.all([
    permits(session, 'caseIndex.read'),
    permits(session, 'caseAmounts.read'),
  ])
  if (!mayList || !mayRead) return []
  const { adminView } = cachedProbe(session) ?? (await probeCaseList(session))
  const { completeAt, oldestReadAt, shortfall, unreadable } = await sweepsNow()
  if (adminView !== 'proved' || completeAt === null || oldestReadAt === null) return []
  if (shortfall !== null || unreadable > 0) return []
  const listedAtMs = Date.parse(oldestReadAt) + serviceNowMs() - Date.now()
  const before = new Date(listedAtMs - NEWER_THAN_LIST_MS).toISOString()
  const db = await store()
  const rows = await db
    .selectFrom('state_seen as seen')
    .select(['reference', 'first_seen_at'])
    .where('state', '=', 'DISPUTED')
    .where('first_seen_at', '<', before)
    .where(
      sql<boolean>`NOT EXISTS (SELECT 1 FROM state_seen AS later
        WHERE later.reference = seen.reference AND later.seen_order > seen.seen_order)`,
    )
    .where(sql<boolean>`NOT EXISTS (SELECT 1 FROM case_index WHERE case_index.reference = seen.reference)`)
    .orderBy('first_seen_at')
    .limit(WITHOUT_CASE_MAX)
    .execute()
  return rows.map(({ reference, first_seen_at: firstSeenAt }) => ({ reference, firstSeenAt }))
}

const EARLIER_MAX = 50

export interface EarlierCase
  extends Pick<QueueRow, 'id' | 'reference' | 'status' | 'createdAt' | 'resolvedAt' | 'outcome'> {
  readonly role: 'raised-by' | 'against'
}

export interface EarlierCases {
  readonly cases: readonly EarlierCase[]
  /** These count all cases, not only those listed. */
  readonly counts: readonly CaseCount[]
}

/** Requires admin view and the scope, because the index holds what other sessions read. */
export async function earlierCasesWith(
  session: Session,
  partyId: string,
  exceptCaseId: string,
): Promise<EarlierCases | { readonly notKnown: string }> {
  const refusal = await refusedFrom(session, 'caseIndex.read')
  if (refusal !== null) return { notKnown: visibleText(refusalProblem(refusal).title ?? '') }
  const { adminView, problem } = await probeCaseList(session)
  if (adminView !== 'proved') {
    // If the list could not be read, admin view is unknown.
    return { notKnown: problem === null ? 'Your admin view is not confirmed.' : incompleteWords(problem) }
  }
  const old = ageWords(await sweepsNow())
  if (old !== '') return { notKnown: old }
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

/** By case id, or reference if the index has it. Read with the person's token, so invisible cases are omitted. */
export async function findCases(session: Session, text: string): Promise<Result<readonly DisputeCase[]>> {
  const refusal = await refusedFrom(session, 'caseIndex.read')
  const ofReference = refusal === null ? await indexedCaseOf(await store(), text) : undefined
  const ids = [...new Set([...(isUuid(text) ? [text] : []), ...(ofReference === undefined ? [] : [ofReference.id])])]
  const cases: DisputeCase[] = []
  for (const read of await Promise.all(ids.map((id) => readCase(session, id)))) {
    if (read.ok) cases.push(read.value)
    else if (read.problem.status !== 404) return read
  }
  const isUnread = refusal?.known === false && cases.length === 0
  return isUnread ? { ok: false, problem: refusalProblem(refusal) } : { ok: true, value: cases, serviceTime: null }
}
