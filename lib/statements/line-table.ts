import 'server-only'
import { type Kysely, type Selectable, sql, type Updateable } from 'kysely'
import type { Tables } from '#lib/store/tables.ts'
import type { LineHold, LineStatus } from './statement-line.ts'

/** A line with where it stands on its way; see {@link judged}. */
export type JudgedLine = Selectable<Tables['statement_line']> & {
  readonly status: LineStatus
  readonly hold: LineHold | null
  readonly command_state: string | null
  /** JSON text. */
  readonly command_outcome: string | null
}

/** Whether a line comes after one that names the same: of all lines at once, each is compared with the first alone. */
const AFTER_OTHERS = sql`
  min(CASE WHEN line.set_aside_reason IS NULL THEN line.number END) OVER (PARTITION BY line.sought) < line.number
  OR min(CASE WHEN line.set_aside_reason IS NULL THEN line.number END) OVER (PARTITION BY line.bank_key) < line.number`

/** The same of a single line. */
const AFTER_ANOTHER = sql`
  EXISTS (SELECT 1 FROM statement_line twin WHERE twin.statement_id = line.statement_id AND twin.number < line.number
    AND twin.set_aside_reason IS NULL AND (twin.sought = line.sought OR twin.bank_key = line.bank_key))`

/**
 * The lines of a statement, each with what stands in its way and where it stands, as the command that confirms it and
 * the locks of all commands are in this moment. The first line of those that name one reference, or one bank reference,
 * holds the others. One that agrees only by what a person entered, or accepted, is never ready: it wants a confirmation of
 * its own.
 */
const judged = (statementId: string, number: number | null = null) => sql`
  (SELECT held.*,
    CASE
      WHEN command_state IN ('done', 'applied') THEN 'done'
      WHEN command_state IN ('sent', 'unknown', 'challenged', 'accepted') THEN 'open'
      WHEN set_aside_reason IS NOT NULL THEN 'set-aside'
      WHEN command_state IN ('refused', 'not_applied', 'closed') OR note IS NOT NULL THEN 'refused'
      WHEN hold IS NOT NULL THEN 'mismatched'
      WHEN verdict = 'ready' AND (sought_from <> 'field' OR bank_used <> bank_reference) THEN 'by-hand'
      ELSE verdict
    END AS status
  FROM (
    SELECT line.*, command.state AS command_state, command.outcome AS command_outcome,
      CASE
        WHEN line.verdict <> 'ready' THEN NULL
        WHEN line.bank_key IS NULL THEN 'no-bank-reference'
        WHEN EXISTS (SELECT 1 FROM command_lock WHERE key = line.bank_key
          AND command_id IS DISTINCT FROM line.command_id) THEN 'bank-reference-taken'
        WHEN EXISTS (SELECT 1 FROM command_lock WHERE key = 'deposit:' || line.sought
          AND command_id IS DISTINCT FROM line.command_id) THEN 'deposit-under-way'
        WHEN ${number === null ? AFTER_OTHERS : AFTER_ANOTHER} THEN 'other-line'
      END AS hold
    FROM statement_line line LEFT JOIN command ON command.id = line.command_id
    WHERE line.statement_id = ${statementId} AND ${number === null ? sql`true` : sql`line.number = ${number}`}) held) judged`

export async function countLines(
  db: Kysely<Tables>,
  statementId: string,
): Promise<Readonly<Partial<Record<LineStatus, number>>>> {
  const { rows } = await sql<{ status: LineStatus; count: number }>`
    SELECT status, count(*) AS count FROM ${judged(statementId)} GROUP BY status`.execute(db)
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}

/** A line with the journal's entries of who edited it; each null where nobody did. */
export interface ShownLine extends JudgedLine {
  readonly edited_by: string | null
  readonly edited_at: string | null
  readonly sought_by: string | null
  readonly sought_at: string | null
  readonly bank_by: string | null
  readonly bank_at: string | null
  /** JSON text of {@link Suggestion}s. */
  readonly suggestions: string
}

const withEdits = sql`
  SELECT judged.*, edit.actor_name AS edited_by, edit.created_at AS edited_at,
    sought_edit.actor_name AS sought_by, sought_edit.created_at AS sought_at,
    bank_edit.actor_name AS bank_by, bank_edit.created_at AS bank_at,
    (SELECT coalesce(json_agg(json_build_object('reference', suggestion.reference, 'foundIn', found_in, 'state', state,
        'debit', debit) ORDER BY suggestion.reference), '[]')::text
      FROM statement_suggestion suggestion
      WHERE suggestion.statement_id = judged.statement_id AND suggestion.number = judged.number) AS suggestions`

const edits = sql`
  LEFT JOIN command edit ON edit.id = edit_id
  LEFT JOIN command sought_edit ON sought_edit.id = sought_edit_id
  LEFT JOIN command bank_edit ON bank_edit.id = bank_edit_id`

/** One page of lines in the order of the file; of one status, or of every. Pages from 1. */
export async function listLines(
  db: Kysely<Tables>,
  statementId: string,
  { status, page, size }: { readonly status: LineStatus | null; readonly page: number; readonly size: number },
): Promise<ShownLine[]> {
  const { rows } = await sql<ShownLine>`
    ${withEdits} FROM ${judged(statementId)} ${edits}
    WHERE ${status}::text IS NULL OR status = ${status}
    ORDER BY number LIMIT ${size} OFFSET ${(page - 1) * size}`.execute(db)
  return rows
}

export async function findLine(
  db: Kysely<Tables>,
  statementId: string,
  number: number,
): Promise<ShownLine | undefined> {
  const { rows } = await sql<ShownLine>`
    ${withEdits} FROM ${judged(statementId, number)} ${edits}`.execute(db)
  return rows[0]
}

export type ReadyLine = Pick<JudgedLine, 'number' | 'sought' | 'bank_used' | 'amount'>

/** What a run confirms, in order. */
export async function findReady(db: Kysely<Tables>, statementId: string): Promise<ReadyLine[]> {
  const { rows } = await sql<ReadyLine>`
    SELECT number, sought, bank_used, amount FROM ${judged(statementId)}
    WHERE status = 'ready' ORDER BY number`.execute(db)
  return rows
}

export interface ReadyTotal {
  readonly count: number
  /** Decimal text. */
  readonly sum: string
  /** Stands for exactly these lines with exactly what they would confirm. */
  readonly seal: string
}

/** What a run would confirm right now. */
export async function readyTotal(db: Kysely<Tables>, statementId: string): Promise<ReadyTotal> {
  const { rows } = await sql<ReadyTotal>`
    SELECT count(*) AS count, coalesce(sum(amount::numeric), 0)::text AS sum,
      md5(coalesce(string_agg(json_build_array(number, sought, bank_used, amount)::text, '' ORDER BY number), '')) AS seal
    FROM ${judged(statementId)} WHERE status = 'ready'`.execute(db)
  return rows[0] ?? { count: 0, sum: '0', seal: '' }
}

export type EditedLine = Pick<ShownLine, 'number' | 'edited_by' | 'edited_at'>

/** Of the lines that a run would confirm right now, those that somebody has edited, the latest edits first. */
export async function findEditedReady(db: Kysely<Tables>, statementId: string, limit: number): Promise<EditedLine[]> {
  const { rows } = await sql<EditedLine>`
    SELECT number, edit.actor_name AS edited_by, edit.created_at AS edited_at FROM ${judged(statementId)}
    JOIN command edit ON edit.id = edit_id
    WHERE status = 'ready' ORDER BY edit.created_at DESC, number LIMIT ${limit}`.execute(db)
  return rows
}

/** Changes a line that no command is bound to, unless `bound` says to which. False when it was not so. */
export async function changeLine(
  db: Kysely<Tables>,
  { statementId, number, bound = null }: { statementId: string; number: number; bound?: string | null },
  change: Updateable<Tables['statement_line']>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('statement_line')
    .set(change)
    .where('statement_id', '=', statementId)
    .where('number', '=', number)
    .where('command_id', bound === null ? 'is' : '=', bound)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The lines of a statement that are to be looked up: only those that never were, or all that may still change. */
export function findToLookUp(
  db: Kysely<Tables>,
  statementId: string,
  extent: 'unread' | 'all',
): Promise<
  Pick<Selectable<Tables['statement_line']>, 'number' | 'sought' | 'reference' | 'text' | 'amount' | 'currency'>[]
> {
  return db
    .selectFrom('statement_line')
    .select(['number', 'sought', 'reference', 'text', 'amount', 'currency'])
    .where('statement_id', '=', statementId)
    .where((line) =>
      extent === 'unread'
        ? line.and([line('verdict', '=', 'unread'), line('command_id', 'is', null)])
        : line.and([
            line('set_aside_reason', 'is', null),
            line.or([line('found_state', 'is', null), line('found_state', 'not in', ['PROCESSED', 'FAIL'])]),
          ]),
    )
    .orderBy('number')
    .execute()
}

/** Drafts that a run left behind when it was cut off: nothing of them was sent. A person may still look at other ones. */
export async function findLeftDrafts(
  db: Kysely<Tables>,
  statementId: string,
): Promise<{ readonly number: number; readonly commandId: string }[]> {
  const rows = await db
    .selectFrom('statement_line')
    .innerJoin('command', 'command.id', 'statement_line.command_id')
    .select(['number', 'command.id as commandId'])
    .where('statement_id', '=', statementId)
    .where('command.state', '=', 'draft')
    .where('command.batch', 'is not', null)
    .execute()
  return rows
}
