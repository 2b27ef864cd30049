import 'server-only'
import type { Kysely } from 'kysely'
import { inJournal } from '#lib/commands/journal/append.ts'
import { foldBankReference } from '#lib/deposits/deposit.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { partPattern } from '#lib/store/transaction.ts'
import { unbind } from './confirm-lines.ts'
import { countUnsettled, findDrafts } from './line-table.ts'
import {
  eraseDiscarded,
  findStatement,
  type ListedStatement,
  lineCount,
  listStatements,
  lockStatement,
  markDiscarded,
  recordFile,
  type StatementRow,
} from './statement-table.ts'
import { isWorkedOn } from './work.ts'

export const LISTED_MAX = 50
const UNDO_MS = 10 * 60_000

const undoFrom = (): string => new Date(Date.now() - UNDO_MS).toISOString()

/** ISO 8601; null if not discarded or too late. */
export function restorableUntil({ discarded_at }: Pick<StatementRow, 'discarded_at'>): string | null {
  if (discarded_at === null || discarded_at <= undoFrom()) return null
  return new Date(Date.parse(discarded_at) + UNDO_MS).toISOString()
}

export async function latestStatements(): Promise<ListedStatement[]> {
  return await listStatements(await store(), LISTED_MAX, undoFrom())
}

export async function findDiscarded(
  id: string,
): Promise<{ readonly statement: StatementRow; readonly until: string } | null> {
  const statement = await findStatement(await store(), id)
  const until = statement === undefined ? null : restorableUntil(statement)
  return statement === undefined || until === null ? null : { statement, until }
}

const NOT_THERE = 'Statement not found.'
const NOT_YOURS = 'Only the person who imported a statement can discard or restore it.'

/** Hides the statement at once; it is erased ten minutes later. Confirmed deposits stay confirmed. Null on success. */
export async function discardStatement(session: Session, id: string): Promise<string | null> {
  const db = await store()
  // Drafts that operators have open were never sent.
  for (const { number, commandId } of await findDrafts(db, id)) await unbind({ statementId: id, number }, commandId)
  return await inJournal(db, async (trx) => {
    const statement = await lockStatement(trx, id)
    if (statement === undefined || statement.discarded_at !== null) return NOT_THERE
    if (statement.owner !== session.actor) return NOT_YOURS
    const fault = await faultOfDiscarding(trx, id)
    if (fault !== null) return fault
    await markDiscarded(trx, id, { discarded_at: new Date().toISOString(), discarded_by: session.displayName })
    await recordFile(trx, 'statement.discard', session, { ...statement, lines: await lineCount(trx, id) })
    return null
  })
}

async function faultOfDiscarding(trx: Trx, id: string): Promise<string | null> {
  if (await isWorkedOn(trx, id)) return 'Work is in progress. Stop it or wait, then discard the statement.'
  if ((await countUnsettled(trx, id)) === 0) return null
  return 'A line waits for approval, or its outcome is not known yet. Discard the statement later.'
}

/** Null on success. */
export async function restoreStatement(session: Session, id: string): Promise<string | null> {
  return await inJournal(await store(), async (trx) => {
    const statement = await lockStatement(trx, id)
    if (statement?.owner !== undefined && statement.owner !== session.actor) return NOT_YOURS
    if (statement === undefined || restorableUntil(statement) === null) {
      return 'It can no longer be restored: ten minutes have passed, or the file was imported again.'
    }
    await markDiscarded(trx, id, null)
    await recordFile(trx, 'statement.restore', session, { ...statement, lines: await lineCount(trx, id) })
    return null
  })
}

export async function eraseDiscardedStatements(): Promise<void> {
  await eraseDiscarded(await store(), undoFrom())
}

export interface FoundLine {
  readonly statement_id: string
  readonly file_name: string
  readonly number: number
  readonly amount: string
  readonly currency: string
  readonly where: 'reference' | 'bank reference' | 'text'
}

/** Only these are searched for part of a text; a whole reference is found in all. */
const SEARCHED_MAX = LISTED_MAX

export async function findLines(db: Kysely<Tables>, part: string, limit: number): Promise<FoundLine[]> {
  const pattern = partPattern(part)
  const samePart = foldBankReference(part)
  const latest = db
    .selectFrom('statement')
    .select('id')
    .where('discarded_at', 'is', null)
    .orderBy('taken_at', 'desc')
    .limit(SEARCHED_MAX)
  const columns = ['line.reference', 'line.sought', 'line.bank_reference', 'line.bank_used', 'line.text'] as const
  const rows = await db
    .selectFrom('statement_line as line')
    .innerJoin('statement', 'statement.id', 'line.statement_id')
    .select(['line.statement_id', 'statement.file_name', 'line.number', 'line.amount', 'line.currency'])
    .select(columns)
    .where(({ or, and, eb }) =>
      or([
        and([
          eb('line.statement_id', 'in', latest),
          or([
            ...columns.map((column) => eb(column, 'ilike', pattern)),
            ...(samePart === '' ? [] : [eb('line.bank_key', 'like', partPattern(samePart))]),
          ]),
        ]),
        eb('line.sought', '=', part),
      ]),
    )
    .where('statement.discarded_at', 'is', null)
    .orderBy('statement.taken_at', 'desc')
    .orderBy('line.number')
    .limit(limit)
    .execute()
  const has = (text: string) => text.toLowerCase().includes(part.toLowerCase())
  return rows.map(({ reference, sought, bank_reference, bank_used, text, ...line }) => {
    if (has(reference) || has(sought)) return { ...line, where: 'reference' }
    return { ...line, where: has(bank_reference) || has(bank_used) || !has(text) ? 'bank reference' : 'text' }
  })
}
