import 'server-only'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '#lib/store/tables.ts'
import { type JudgedLine, judged } from './judged-line.ts'
import type { LineStatus } from './statement-line.ts'

export interface ShownLine extends JudgedLine {
  readonly edited_by: string | null
  readonly edited_at: string | null
  readonly sought_by: string | null
  readonly sought_at: string | null
  readonly bank_by: string | null
  readonly bank_at: string | null
  readonly suggestions: string
  /** JSON of the first earlier line with the same value. */
  readonly same_reference: string | null
  readonly same_bank: string | null
  /** JSON of commands of any person. */
  readonly bank_holder: string | null
  readonly confirmation: string | null
  readonly seen_file: string | null
}

const AT_LINE = sql`'statementId', theirs.id, 'number', CASE WHEN theirs.id IS NOT NULL THEN twin.number END,
  'fileName', theirs.file_name`

const sameBefore = (same: RawBuilder<unknown>) => sql`
  (SELECT json_build_object(${AT_LINE})::text
    FROM statement_line twin JOIN statement theirs ON theirs.id = twin.statement_id AND theirs.discarded_at IS NULL
    WHERE ${same} AND twin.set_aside_reason IS NULL
      AND ((twin.statement_id = judged.statement_id AND twin.number < judged.number)
        OR (theirs.taken_at, theirs.id) < (judged.taken_at, judged.statement_id))
    ORDER BY theirs.taken_at, theirs.id, twin.number LIMIT 1)`

const BOUND_LINE = sql`
  LEFT JOIN statement_line twin ON twin.command_id = made.id
  LEFT JOIN statement theirs ON theirs.id = twin.statement_id AND theirs.discarded_at IS NULL`

const shown = sql`
  SELECT judged.*, edit.actor_name AS edited_by, edit.created_at AS edited_at,
    sought_edit.actor_name AS sought_by, sought_edit.created_at AS sought_at,
    bank_edit.actor_name AS bank_by, bank_edit.created_at AS bank_at, seen_in.file_name AS seen_file,
    (SELECT coalesce(json_agg(json_build_object('reference', suggestion.reference, 'foundIn', found_in, 'state', state,
        'debit', debit) ORDER BY suggestion.reference), '[]')::text
      FROM statement_suggestion suggestion
      WHERE suggestion.statement_id = judged.statement_id AND suggestion.number = judged.number) AS suggestions,
    ${sameBefore(sql`twin.sought = judged.sought AND judged.sought <> ''`)} AS same_reference,
    ${sameBefore(sql`twin.bank_key = judged.bank_key`)} AS same_bank,
    (SELECT json_build_object('commandId', made.id, 'by', made.actor_name, 'at', made.settled_at, ${AT_LINE})::text
      FROM command_lock JOIN command made ON made.id = command_lock.command_id ${BOUND_LINE}
      WHERE command_lock.key = judged.bank_key AND made.id IS DISTINCT FROM judged.command_id LIMIT 1) AS bank_holder,
    (SELECT json_build_object('commandId', made.id, 'by', made.actor_name, 'at', made.settled_at, 'outcome', made.outcome,
        ${AT_LINE})::text
      FROM command made ${BOUND_LINE}
      WHERE made.kind = 'deposit.confirm' AND made.target = judged.sought AND judged.sought <> ''
        AND made.state IN ('done', 'applied') ORDER BY made.created_at LIMIT 1) AS confirmation`

const details = sql`
  LEFT JOIN command edit ON edit.id = edit_id
  LEFT JOIN command sought_edit ON sought_edit.id = sought_edit_id
  LEFT JOIN command bank_edit ON bank_edit.id = bank_edit_id
  LEFT JOIN statement seen_in ON seen_in.id = seen_statement AND seen_in.discarded_at IS NULL`

/** Null: every status. Pages from 1. */
export async function listLines(
  db: Kysely<Tables>,
  statementId: string,
  { status, page, size }: { readonly status: LineStatus | null; readonly page: number; readonly size: number },
): Promise<ShownLine[]> {
  const { rows } = await sql<ShownLine>`
    ${shown} FROM
      (SELECT * FROM ${judged(statementId)} WHERE ${status}::text IS NULL OR status = ${status}
        ORDER BY number LIMIT ${size} OFFSET ${(page - 1) * size}) judged ${details}
    ORDER BY number`.execute(db)
  return rows
}

export async function findLine(
  db: Kysely<Tables>,
  statementId: string,
  number: number,
): Promise<ShownLine | undefined> {
  const { rows } = await sql<ShownLine>`
    ${shown} FROM ${judged(statementId, number)} ${details}`.execute(db)
  return rows[0]
}
