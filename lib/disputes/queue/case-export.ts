import 'server-only'
import { sql } from 'kysely'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { amountCell, type Cells, csvWriter } from '#lib/values/csv.ts'
import { CaseQuery, type Reader } from './case-index-query.ts'
import { probeCaseList } from './case-list-probe.ts'
import { sweepsNow, waitForSweep } from './case-sweeps.ts'
import { type IndexState, type QueueFilter, type QueueRow, usesAmounts, usesThreads } from './queue.ts'
import { claimedRow, readerOf } from './queue-view.ts'
import { indexWords, oldWords } from './words.ts'

const ROWS_MAX = 50_000
const READ_AT_ONCE = 500
const WAIT_MS = 5_000

interface ExportedCase extends QueueRow {
  /** BZD; null if not known, or hidden from the person. */
  readonly amount: string | null
}

/** Null: it could not be read. */
type ExportedRow = ExportedCase | null

interface Part {
  readonly rows: readonly ExportedRow[]
  readonly total: number
  readonly unreadable: number
}

export type CaseExport =
  | { readonly ok: true; readonly parts: AsyncGenerator<Part, void, undefined> }
  | { readonly ok: false; readonly why: 'not-admin' | 'amounts-hidden' }
  | { readonly ok: false; readonly why: 'incomplete'; readonly words: string }
  | Unread

/** The filter cannot judge so many cases. */
interface Unread {
  readonly ok: false
  readonly why: 'amounts-unread' | 'messages-unread'
  readonly cases: number
}

/** Refused unless the index lately had every case, with all that the filter needs. */
export async function exportCases(session: Session, filter: QueueFilter): Promise<CaseExport> {
  const { adminView } = await probeCaseList(session)
  if (adminView !== 'proved') return { ok: false, why: 'not-admin' }
  if (oldWords(await sweepsNow()) !== '') await waitForSweep(WAIT_MS)
  const index = await sweepsNow()
  if (oldWords(index) !== '') return { ok: false, why: 'incomplete', words: adviceOn(index) }
  const sorted: QueueFilter = { ...filter, sort: { column: 'age', descending: true } }
  const reader = await readerOf(session)
  return (await refusalOf(sorted, reader)) ?? { ok: true, parts: casesInParts(sorted, reader) }
}

const adviceOn = (index: IndexState): string =>
  index.reading === null
    ? `${oldWords(index)} Try again in a moment. If it persists, contact your administrator.`
    : `${indexWords({ ...index, shortfall: null, completeAt: null })} Export once it is complete, within 10 minutes.`

async function refusalOf(filter: QueueFilter, reader: Reader): Promise<CaseExport | null> {
  const db = await store()
  if (usesAmounts(filter)) {
    if (!reader.seesAmounts) return { ok: false, why: 'amounts-hidden' }
    const ofAnyTurn = new CaseQuery(db, { ...filter, turn: null, unread: false }, reader)
    const cases = await ofAnyTurn.countUnreadAmounts()
    if (cases > 0) return { ok: false, why: 'amounts-unread', cases }
  }
  if (!filter.unread && (filter.turn === null || filter.turn === 'unknown')) return null
  const { total: cases } = await new CaseQuery(db, { ...filter, turn: 'unknown', unread: false }, reader).counts()
  return cases === 0 ? null : { ok: false, why: 'messages-unread', cases }
}

async function* casesInParts(filter: QueueFilter, reader: Reader): AsyncGenerator<Part, void, undefined> {
  const [db, { unreadable }] = await Promise.all([store(), sweepsNow()])
  const query = new CaseQuery(db, filter, reader)
  const { total: readable } = await query.counts(usesThreads(filter))
  const total = readable + unreadable
  let [taken, later] = [0, sql<boolean>`true`]
  while (taken < ROWS_MAX) {
    const found = await query.rows(0, Math.min(READ_AT_ONCE, ROWS_MAX - taken), 0, later)
    const last = found.at(-1)
    if (last === undefined) break
    const rows = found.map((row) => ({ ...claimedRow(row, reader), amount: reader.seesAmounts ? row.amount : null }))
    yield { rows, total, unreadable }
    taken += found.length
    // Cases may leave the list meanwhile, so places do not tell what was read.
    later = sql<boolean>`(created_key, id_key) > (${last.created_key}, ${last.id_key})`
  }
  const listed = taken < ROWS_MAX ? taken : readable
  if (unreadable > 0 || listed !== readable)
    yield { rows: Array<null>(unreadable).fill(null), total: listed + unreadable, unreadable }
}

const headings = [
  ...['Opened (UTC)', 'Case', 'Status', 'Outcome', 'Resolved (UTC)', 'Amount (BZD)', 'Assignee', 'Reason (beginning)'],
  ...['Raised by', 'Against', 'Transaction', 'Category'],
]

const UNREADABLE = ['(a case that could not be read)', ...Array<string>(headings.length - 1).fill('')]

export const caseWriter = csvWriter<ExportedRow>(headings, (row) => (row === null ? UNREADABLE : cellsOf(row)))

const cellsOf = (row: ExportedCase): Cells => [
  ...[row.createdAt, row.id, row.status, row.outcome ?? '', row.resolvedAt ?? '', amountCell(row.amount)],
  row.claim === null || row.claim === 'hidden' ? '' : row.claim.name,
  ...[row.reason, row.raisedBy, row.against, row.reference, row.category ?? ''],
]
