import 'server-only'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { refusedFrom } from '#lib/authorization/judge.ts'
import { ERASED } from '#lib/commands/row.ts'
import { config } from '#lib/config/config.ts'
import { foldBankReference } from '#lib/deposits/deposit.ts'
import { inJournal, logEvents } from '#lib/journal/sequencer.ts'
import type { Session } from '#lib/session/session.ts'
import { hourly } from '#lib/store/periodic.ts'
import { inTransaction, partPattern, store } from '#lib/store/store.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { unbind } from './confirm-lines.ts'
import type { AccountStatement } from './file/statement.ts'
import { eraseOldDebits } from './kept-debits.ts'
import { countUnsettled, findDrafts } from './line-table.ts'
import { compareReturns, putBackReturned, releaseRepeats, setRepeatsAside } from './returned-before.ts'
import { CONFIRMED_ON_ITS_PAGE } from './shown-lines.ts'
import {
  countStatements,
  type EarlierPayment,
  eraseDiscarded,
  findStatement,
  lineCount,
  listDiscarded,
  listStatements,
  lockComparison,
  lockStatement,
  markDiscarded,
  recordFile,
  type StatementRow,
} from './statement-table.ts'
import { accountWords, type LineTotal, type StatementWork } from './statement-view.ts'
import { readWork } from './view.ts'
import { isWorkedOn } from './work.ts'

const UNDO_MS = 10 * 60_000

const undoFrom = (): string => new Date(Date.now() - UNDO_MS).toISOString()

/** ISO 8601; null if not discarded or too late. */
export function restorableUntil({ discarded_at }: Pick<StatementRow, 'discarded_at'>): string | null {
  if (discarded_at === null || discarded_at <= undoFrom()) return null
  return new Date(Date.parse(discarded_at) + UNDO_MS).toISOString()
}

export interface ListedStatement {
  readonly id: string
  readonly fileName: string
  /** May be empty. */
  readonly account: string
  /** Null if no line has a day that is certain. */
  readonly days: { readonly first: string; readonly last: string } | null
  readonly lines: number
  /** Lines that are neither done nor set aside, by currency. */
  readonly open: readonly OpenTotal[]
  readonly importedAt: string
  readonly importedBy: string
  /** Null if there is no work in progress or interrupted. */
  readonly work: StatementWork | null
}

export interface StatementList {
  readonly statements: readonly ListedStatement[]
  readonly counts: { readonly open: number; readonly all: number }
}

/** `open`: only statements with open lines, the oldest first; otherwise the newest first. Pages from 1. */
export async function readStatementList({
  open: isOpen,
  ...page
}: {
  readonly open: boolean
  readonly page: number
  readonly size: number
}): Promise<StatementList> {
  const db = await store()
  const open = Map.groupBy(await findOpenTotals(db), ({ statement_id }) => statement_id)
  const [rows, all] = await Promise.all([
    listStatements(db, isOpen ? [...open.keys()] : null, page),
    countStatements(db),
  ])
  const statements = rows.map(async (row) => ({
    id: row.id,
    fileName: row.file_name,
    account: accountWords(JSON.parse(row.accounts) as readonly AccountStatement[]),
    days: row.first_day === null || row.last_day === null ? null : { first: row.first_day, last: row.last_day },
    lines: row.lines,
    open: open.get(row.id) ?? [],
    importedAt: row.taken_at,
    importedBy: row.owner_name,
    work: row.work === null ? null : await readWork(row.id),
  }))
  return { statements: await Promise.all(statements), counts: { open: open.size, all } }
}

export interface OpenStatements {
  readonly statements: readonly Pick<ListedStatement, 'id' | 'fileName' | 'open' | 'importedAt' | 'importedBy'>[]
  readonly count: number
}

const NO_STATEMENTS: OpenStatements = { statements: [], count: 0 }

/** The oldest `most` of them. Null if the person's scopes cannot be read. */
export async function openStatementsFor(session: Session, most: number): Promise<OpenStatements | null> {
  const refusal = await refusedFrom(session, 'statements.read')
  if (refusal !== null) return refusal.known ? NO_STATEMENTS : null
  const { statements, counts } = await readStatementList({ open: true, page: 1, size: most })
  return {
    statements: statements.map(({ account: _, days: __, lines: ___, work: ____, ...shown }) => shown),
    count: counts.open,
  }
}

interface OpenTotal extends Omit<LineTotal, 'status'> {
  readonly statement_id: string
}

const IN_PROGRESS = sql`('awaiting_approval', 'sent', 'unknown', 'challenged', 'accepted')`
const NOT_DONE = sql`('draft', 'refused', 'not_applied', 'closed')`
const COLUMNS = sql`line.statement_id, line.number, line.verdict, line.sought, line.bank_key, line.amount, line.currency,
  line.command_id`

/** Lines that the deposit page seems to have confirmed, but which repeat an earlier line. */
const repeated = (same: RawBuilder<unknown>) => sql`
  SELECT line.statement_id, line.number FROM unhandled line
  JOIN statement_line twin ON ${same} AND twin.set_aside_reason IS NULL
  JOIN statement theirs ON theirs.id = twin.statement_id AND theirs.discarded_at IS NULL
  WHERE line.page_id IS NOT NULL AND CASE WHEN theirs.id = line.statement_id THEN twin.number < line.number
    ELSE (theirs.taken_at, theirs.id) < (line.taken_at, line.statement_id) END`

/** By the rules of `judged`, without the status of each line: the cost grows with the open lines only. */
async function findOpenTotals(db: Kysely<Tables>): Promise<OpenTotal[]> {
  const { rows } = await sql<OpenTotal>`
    WITH undone AS MATERIALIZED (
      SELECT ${COLUMNS}, false AS in_progress FROM statement_line line
      WHERE command_id IS NULL AND set_aside_reason IS NULL
      UNION ALL
      SELECT ${COLUMNS}, command.state IN ${IN_PROGRESS} FROM command JOIN statement_line line ON line.command_id = command.id
      WHERE command.state IN ${IN_PROGRESS} OR (command.state IN ${NOT_DONE} AND set_aside_reason IS NULL)),
    unhandled AS MATERIALIZED (
      SELECT line.*, own.taken_at, page.id AS page_id
      FROM undone line JOIN statement own ON own.id = line.statement_id AND own.discarded_at IS NULL
      LEFT JOIN command_lock bank
        ON bank.key = line.bank_key AND NOT in_progress AND bank.command_id IS DISTINCT FROM line.command_id
      LEFT JOIN command page ON page.id = bank.command_id AND ${CONFIRMED_ON_ITS_PAGE})
    SELECT statement_id, coalesce(nullif(currency, ''), 'BZD') AS currency, count(*) AS count,
      sum(amount::numeric)::text AS sum
    FROM unhandled
    WHERE page_id IS NULL OR (statement_id, number) IN (
      ${repeated(sql`line.sought <> '' AND twin.sought = line.sought`)}
      UNION ALL ${repeated(sql`twin.bank_key = line.bank_key`)})
    GROUP BY 1, 2 ORDER BY 1, 2`.execute(db)
  return rows
}

/** `until`: ISO 8601. */
export async function restorableStatements(): Promise<readonly (StatementRow & { readonly until: string })[]> {
  const discarded = await listDiscarded(await store(), undoFrom())
  return discarded.flatMap((statement) => {
    const until = restorableUntil(statement)
    return until === null ? [] : [{ ...statement, until }]
  })
}

export async function findDiscarded(
  id: string,
): Promise<{ readonly statement: StatementRow; readonly until: string } | null> {
  const statement = await findStatement(await store(), id)
  const until = statement === undefined ? null : restorableUntil(statement)
  return statement === undefined || until === null ? null : { statement, until }
}

export const STATEMENT_NOT_FOUND = 'Statement not found. It may have been discarded.'

/** False for a discarded one. */
export async function isStatementThere(id: string): Promise<boolean> {
  const statement = await findStatement(await store(), id)
  return statement !== undefined && statement.discarded_at === null
}
const NOT_YOURS = 'Only the person who imported a statement can discard or restore it.'

/** Hides the statement at once; it is erased ten minutes later. Confirmed deposits stay confirmed. Null on success. */
export async function discardStatement(session: Session, id: string): Promise<string | null> {
  const db = await store()
  const drafts = await findDrafts(db, id)
  const refused = await faultOfDiscarding(db, session, await findStatement(db, id), drafts.length)
  if (refused !== null) return refused
  // They were never sent.
  for (const { number, commandId } of drafts) await unbind({ statementId: id, number }, commandId)
  return await inJournal(db, async (trx) => {
    await lockComparison(trx)
    const statement = await lockStatement(trx, id)
    const fault = await faultOfDiscarding(trx, session, statement)
    if (statement === undefined || statement.discarded_at !== null || fault !== null) return fault
    await markDiscarded(trx, id, { discarded_at: new Date().toISOString(), discarded_by: session.displayName })
    const released = await releaseRepeats(trx, id)
    const back = await putBackReturned(trx, session, id)
    for (const one of new Set([...released, ...back])) await compareReturns(trx, session, one)
    await recordFile(trx, 'statement.discard', session, { ...statement, lines: await lineCount(trx, id) })
    return null
  })
}

/** `drafts` are withdrawn first. */
async function faultOfDiscarding(
  db: Kysely<Tables>,
  session: Session,
  statement: StatementRow | undefined,
  drafts = 0,
): Promise<string | null> {
  if (statement === undefined) return STATEMENT_NOT_FOUND
  if (statement.owner !== session.actor) return NOT_YOURS
  if (statement.discarded_at !== null) return null
  if (await isWorkedOn(db, statement.id)) return 'Work is in progress. Stop it or wait, then discard the statement.'
  if ((await countUnsettled(db, statement.id)) <= drafts) return null
  return 'A line waits for approval, or its outcome is not known yet. Discard the statement later.'
}

/** In words why it is refused, or warnings of returns of confirmed payments. */
export const restoreStatement = async (session: Session, id: string): Promise<string | readonly string[]> =>
  await inJournal(await store(), async (trx) => {
    await lockComparison(trx)
    const statement = await lockStatement(trx, id)
    if (statement?.owner !== undefined && statement.owner !== session.actor) return NOT_YOURS
    if (statement === undefined || restorableUntil(statement) === null) {
      return 'It can no longer be restored: ten minutes have passed, or the file was imported again.'
    }
    await markDiscarded(trx, id, null)
    await setRepeatsAside(trx, id)
    const accepted = await compareReturns(trx, session, id)
    await recordFile(trx, 'statement.restore', session, { ...statement, lines: await lineCount(trx, id), accepted })
    return accepted
  })

export async function eraseDiscardedStatements(): Promise<void> {
  await eraseDiscarded(await store(), undoFrom())
}

const LINES_AT_ONCE = 1_000

/** Texts of lines that were imported before TEXT_KEPT_DAYS. References, amounts and days stay. */
export async function eraseOldLines(): Promise<void> {
  const { textKeptDays: days } = config()
  await hourly('line retention', async () => {
    await eraseOldDebits(await store(), days)
    if (days === null) return true
    const lines = await inTransaction(await store(), (trx) => eraseLines(trx, days))
    return lines < LINES_AT_ONCE
  })
}

async function eraseLines(trx: Trx, keptDays: number): Promise<number> {
  const { rows } = await sql<{ statement: string; lines: number }>`
    WITH old AS (
      SELECT statement_id, number FROM statement_line JOIN statement ON statement.id = statement_id
      WHERE taken_at < kept_since(${keptDays}) AND (text <> ${ERASED} OR payer_name <> '' OR payer_account <> '')
      LIMIT ${LINES_AT_ONCE}),
    erased AS (
      UPDATE statement_line AS line
      SET text = ${ERASED}, payer_name = '', payer_account = '', note = NULL,
        set_aside_reason = CASE WHEN set_aside_reason IS NULL THEN NULL ELSE ${ERASED} END
      FROM old WHERE (line.statement_id, line.number) = (old.statement_id, old.number)
      RETURNING line.statement_id)
    SELECT statement_id AS statement, count(*)::integer AS lines FROM erased GROUP BY 1`.execute(trx)
  if (rows.length === 0) return 0
  const body = { statements: rows, keptDays }
  await logEvents(trx, [{ at: new Date().toISOString(), state: 'statement.erase-lines', actor: 'console', body }])
  return rows.reduce((sum, { lines }) => sum + lines, 0)
}

export interface FoundLine
  extends Pick<EarlierPayment, 'statement_id' | 'file_name' | 'number' | 'amount' | 'currency'> {
  readonly where: 'reference' | 'bank reference' | 'text'
}

/** Only these are searched for part of a text; a whole reference or id is found in all. */
const LINES_SEARCHED_IN = 50
const SEARCHED_MAX = 2_000

const latestStatements = (db: Kysely<Tables>, count: number) =>
  db.selectFrom('statement').select('id').where('discarded_at', 'is', null).orderBy('taken_at', 'desc').limit(count)

/** By part of a file name or an account, the latest first. */
export async function findStatements(
  db: Kysely<Tables>,
  part: string,
  limit: number,
): Promise<Pick<ListedStatement, 'id' | 'fileName' | 'account'>[]> {
  const ofAccount = sql<boolean>`EXISTS (SELECT 1 FROM json_array_elements(accounts::json) AS one
    WHERE replace(one ->> 'account', ' ', '') ILIKE ${partPattern(part.replaceAll(' ', ''))})`
  const rows = await db
    .selectFrom('statement')
    .select(['id', 'file_name', 'accounts'])
    .where(({ or, and, eb }) =>
      or([
        eb('id', '=', part),
        and([
          eb('id', 'in', latestStatements(db, SEARCHED_MAX)),
          or([eb('file_name', 'ilike', partPattern(part)), ofAccount]),
        ]),
      ]),
    )
    .where('discarded_at', 'is', null)
    .orderBy('taken_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id, file_name: fileName, accounts }) => ({
    id,
    fileName,
    account: accountWords(JSON.parse(accounts) as readonly AccountStatement[]),
  }))
}

export async function findLines(db: Kysely<Tables>, part: string, limit: number): Promise<FoundLine[]> {
  const pattern = partPattern(part)
  const samePart = foldBankReference(part)
  const columns = ['line.reference', 'line.sought', 'line.bank_reference', 'line.bank_used', 'line.text'] as const
  const rows = await db
    .selectFrom('statement_line as line')
    .innerJoin('statement', 'statement.id', 'line.statement_id')
    .select(['line.statement_id', 'statement.file_name', 'line.number', 'line.amount', 'line.currency'])
    .select(columns)
    .where(({ or, and, eb }) =>
      or([
        and([
          eb('line.statement_id', 'in', latestStatements(db, LINES_SEARCHED_IN)),
          or([
            ...columns.map((column) => and([eb(column, 'ilike', pattern), eb(column, '<>', ERASED)])),
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
