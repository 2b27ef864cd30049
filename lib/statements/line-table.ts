import 'server-only'
import { type Kysely, type Selectable, sql, type Updateable } from 'kysely'
import { countRows } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import type { ShownLine } from './shown-lines.ts'
import { apart, type JudgedLine, judged } from './shown-lines.ts'
import type { LineTotal, RunSummary } from './statement-view.ts'

export interface StatementTotal extends LineTotal {
  readonly looked_at: string | null
}

export async function totalsOf(db: Kysely<Tables>, statementId: string): Promise<readonly StatementTotal[]> {
  const { rows } = await sql<StatementTotal>`
    SELECT status, coalesce(nullif(currency, ''), 'BZD') AS currency, count(*) AS count, sum(amount::numeric)::text AS sum,
      min(looked_at) AS looked_at
    FROM ${judged(statementId)} GROUP BY 1, 2 ORDER BY 1, 2`.execute(db)
  return rows
}

export interface SetAsideTotal {
  readonly reason: string
  readonly count: number
}

export async function setAsideReasons(
  db: Kysely<Tables>,
  statementId: string,
  limit: number,
): Promise<SetAsideTotal[]> {
  const { rows } = await sql<SetAsideTotal>`
    SELECT set_aside_reason AS reason, count(*) AS count FROM ${judged(statementId)}
    WHERE status = 'set-aside' GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${limit}`.execute(db)
  return rows
}

export type ReadyLine = Pick<JudgedLine, 'number' | 'sought' | 'bank_used' | 'amount'>

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
  /** A hash of these lines and what they would confirm. */
  readonly seal: string
  readonly apart: number
}

export async function readyTotal(db: Kysely<Tables>, statementId: string): Promise<ReadyTotal> {
  const { rows } = await sql<ReadyTotal>`
    SELECT count(*) AS count, coalesce(sum(amount::numeric), 0)::text AS sum,
      count(*) FILTER (WHERE ${await apart(db)}) AS apart,
      md5(coalesce(string_agg(json_build_array(number, sought, bank_used, amount)::text, '' ORDER BY number), '')) AS seal
    FROM ${judged(statementId)} WHERE status = 'ready'`.execute(db)
  return rows[0] ?? { count: 0, sum: '0', seal: '', apart: 0 }
}

export interface RunTotal extends Pick<RunSummary, 'batch' | 'confirmed' | 'sum'> {
  readonly open: number
  readonly ended: number
}

/** Of the commands that lines have now. `batch` null: the latest. */
export async function runTotal(
  db: Kysely<Tables>,
  statementId: string,
  batch: string | null,
): Promise<RunTotal | undefined> {
  const confirmed = sql`command.state IN ('done', 'applied')`
  const { rows } = await sql<RunTotal>`
    SELECT batch, count(*) FILTER (WHERE ${confirmed}) AS confirmed,
      coalesce(sum(line.amount::numeric) FILTER (WHERE ${confirmed}), 0)::text AS sum,
      count(*) FILTER (WHERE command.state IN ('sent', 'unknown', 'challenged', 'accepted')) AS open,
      count(*) FILTER (WHERE command.state IN ('refused', 'not_applied', 'closed')) AS ended
    FROM statement_line line JOIN command ON command.id = line.command_id
    WHERE line.statement_id = ${statementId} AND batch IS NOT NULL AND (${batch}::text IS NULL OR batch = ${batch})
    GROUP BY batch ORDER BY max(command.created_at) DESC LIMIT 1`.execute(db)
  return rows[0]
}

export type EditedLine = Pick<ShownLine, 'number' | 'edited_by' | 'edited_at'>

export async function findEditedReady(db: Kysely<Tables>, statementId: string, limit: number): Promise<EditedLine[]> {
  const { rows } = await sql<EditedLine>`
    SELECT number, edit.actor_name AS edited_by, edit.created_at AS edited_at FROM ${judged(statementId)}
    JOIN command edit ON edit.id = edit_id
    WHERE status = 'ready' AND NOT (sought_from = 'found' AND edit_id = sought_edit_id) ORDER BY edit.created_at DESC, number LIMIT ${limit}`.execute(
    db,
  )
  return rows
}

/** Changes a line only while `bound` (default: none) is its command. */
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

export type LineToLookUp = Pick<
  Selectable<Tables['statement_line']>,
  'number' | 'sought' | 'reference' | 'text' | 'amount' | 'currency'
>

/** `all`: every line whose transaction may still change. `run`: excludes lines that this run looked up. */
export const findToLookUp = (
  db: Kysely<Tables>,
  statementId: string,
  scope: 'unread' | 'all',
  run = 0,
): Promise<LineToLookUp[]> =>
  db
    .selectFrom('statement_line')
    .select(['number', 'sought', 'reference', 'text', 'amount', 'currency'])
    .where('statement_id', '=', statementId)
    .where('looked_run', 'is distinct from', run)
    .where((line) =>
      scope === 'unread'
        ? line.and([line('verdict', '=', 'unread'), line('command_id', 'is', null)])
        : line.and([
            line('set_aside_reason', 'is', null),
            line.or([line('found_state', 'is', null), line('found_state', 'not in', ['PROCESSED', 'FAIL'])]),
          ]),
    )
    .orderBy('number')
    .execute()

const linesInState = (db: Kysely<Tables>, statementId: string, states: readonly string[]) =>
  db
    .selectFrom('statement_line')
    .innerJoin('command', 'command.id', 'statement_line.command_id')
    .where('statement_id', '=', statementId)
    .where('command.state', 'in', states)

type DraftOfLine = Promise<{ readonly number: number; readonly commandId: string }[]>

/** Only drafts of an interrupted run, not those that operators have open. */
export const findLeftDrafts = (db: Kysely<Tables>, statementId: string): DraftOfLine =>
  linesInState(db, statementId, ['draft'])
    .where('command.batch', 'is not', null)
    .select(['number', 'command.id as commandId'])
    .execute()

/** Includes drafts that operators have open. */
export const findDrafts = (db: Kysely<Tables>, statementId: string): DraftOfLine =>
  linesInState(db, statementId, ['draft', 'challenged']).select(['number', 'command.id as commandId']).execute()

const OPEN = ['sent', 'unknown', 'challenged', 'accepted'] as const

export const countOpenLines = (db: Kysely<Tables>, statementId: string): Promise<number> =>
  countRows(linesInState(db, statementId, OPEN))

export const countUnsettled = (db: Kysely<Tables>, statementId: string): Promise<number> =>
  countRows(linesInState(db, statementId, ['draft', 'awaiting_approval', ...OPEN]))
