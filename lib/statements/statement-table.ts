import 'server-only'
import { type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import type { Line, Outcome } from '#lib/commands/command.ts'
import { recordAct } from '#lib/commands/record.ts'
import { inJournal } from '#lib/journal/sequencer.ts'
import type { Session } from '#lib/session/session.ts'
import { countRows, inTransaction } from '#lib/store/store.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { formatCount } from '#lib/values/words.ts'
import { isOfReference } from './statement-entries.ts'
import { lineEditWords } from './statement-view.ts'

export type StatementRow = Selectable<Tables['statement']>
export type NewStatementLine = Insertable<Tables['statement_line']>

/** The embedded database runs in this process, so large inserts are split. */
const INSERTED_AT_ONCE = 200
const MAPPINGS_MAX = 50
const ISO_DAY = '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'

export type NewStatement = Pick<
  StatementRow,
  'id' | 'owner' | 'owner_name' | 'file_name' | 'digest' | 'format' | 'taken_at' | 'left_out' | 'accounts'
>

/** Taken first, so that no two transactions compare payments. */
export const lockComparison = (trx: Trx) =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended('statement comparison', 0))`.execute(trx)

/** False if the same file is already stored. `linesOf` and `also` run in the same transaction. */
export const insertStatement = (
  db: Kysely<Tables>,
  statement: NewStatement,
  linesOf: (trx: Trx) => Promise<readonly NewStatementLine[]>,
  also: (trx: Trx) => Promise<unknown>,
): Promise<boolean> =>
  inJournal(db, async (trx) => {
    await lockComparison(trx)
    const lines = await linesOf(trx)
    // A new import replaces the discarded statement of the same file.
    await trx
      .deleteFrom('statement')
      .where('digest', '=', statement.digest)
      .where('discarded_at', 'is not', null)
      .execute()
    const inserted = await trx
      .insertInto('statement')
      .values({ ...statement, work_done: 0, work_total: 0, work_stop: false, work_runs: 0, work_wants_code: false })
      .onConflict((conflict) => conflict.column('digest').doNothing())
      .executeTakeFirst()
    if (inserted.numInsertedOrUpdatedRows === 0n) return false
    for (let start = 0; start < lines.length; start += INSERTED_AT_ONCE) {
      await trx
        .insertInto('statement_line')
        .values(lines.slice(start, start + INSERTED_AT_ONCE))
        .execute()
    }
    await also(trx)
    return true
  })

export const findStatement = (db: Kysely<Tables>, id: string): Promise<StatementRow | undefined> =>
  db.selectFrom('statement').selectAll().where('id', '=', id).executeTakeFirst()

/** Ignores discarded statements. */
export const findStatementOf = (db: Kysely<Tables>, digest: string): Promise<StatementRow | undefined> =>
  db
    .selectFrom('statement')
    .selectAll()
    .where('digest', '=', digest)
    .where('discarded_at', 'is', null)
    .executeTakeFirst()

/** The latest first. `discardedAfter`: ISO 8601. */
export const listDiscarded = (db: Kysely<Tables>, discardedAfter: string): Promise<StatementRow[]> =>
  db
    .selectFrom('statement')
    .selectAll()
    .where('discarded_at', '>', discardedAfter)
    .orderBy('discarded_at', 'desc')
    .execute()

export const countStatements = (db: Kysely<Tables>): Promise<number> =>
  countRows(db.selectFrom('statement').where('discarded_at', 'is', null))

type ListedRow = StatementRow & {
  readonly lines: number
  /** The first and last booking day (ISO 8601) that is certain. */
  readonly first_day: string | null
  readonly last_day: string | null
}

/** `ids`: only these, the oldest first; null: all, the newest first. */
export async function listStatements(
  db: Kysely<Tables>,
  ids: readonly string[] | null,
  { page, size }: { readonly page: number; readonly size: number },
): Promise<ListedRow[]> {
  const order = ids === null ? sql`taken_at DESC, id` : sql`taken_at, id`
  const { rows } = await sql<ListedRow>`
    SELECT listed.*, line.lines, line.first_day, line.last_day
    FROM (SELECT * FROM statement WHERE discarded_at IS NULL AND ${ids === null ? sql`true` : sql`id = ANY(${[...ids]})`}
      ORDER BY ${order} LIMIT ${size} OFFSET ${(page - 1) * size}) listed
    CROSS JOIN LATERAL (
      SELECT count(*) AS lines, min(booked_on) FILTER (WHERE booked_on ~ ${ISO_DAY}) AS first_day,
        max(booked_on) FILTER (WHERE booked_on ~ ${ISO_DAY}) AS last_day
      FROM statement_line WHERE statement_id = listed.id) line
    ORDER BY ${order}`.execute(db)
  return rows
}

export const lineCount = (db: Kysely<Tables>, id: string): Promise<number> =>
  countRows(db.selectFrom('statement_line').where('statement_id', '=', id))

export const lockStatement = (trx: Trx, id: string): Promise<StatementRow | undefined> =>
  trx.selectFrom('statement').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** Null restores it. */
export async function markDiscarded(
  trx: Trx,
  id: string,
  by: { readonly discarded_at: string; readonly discarded_by: string } | null,
): Promise<void> {
  const mark = by ?? { discarded_at: null, discarded_by: null }
  await trx.updateTable('statement').set(mark).where('id', '=', id).execute()
}

/** `before`: ISO 8601. */
export async function eraseDiscarded(db: Kysely<Tables>, before: string): Promise<void> {
  await db.deleteFrom('statement').where('discarded_at', '<', before).execute()
}

type SeenColumn = 'fingerprint' | 'statement_id' | 'number' | 'account' | 'reference' | 'text' | 'bank_reference'
type WorkColumn = 'set_aside_reason' | 'returned_statement' | 'command_id' | 'edit_id'

export type Seen = Pick<StatementRow, 'file_name' | 'taken_at'> &
  Pick<Selectable<Tables['statement_line']>, SeenColumn | WorkColumn>

/** The earliest first; ignores discarded statements and repeated lines. */
const seenLines = (db: Kysely<Tables>) =>
  db
    .selectFrom('statement_line')
    .innerJoin('statement', 'statement.id', 'statement_line.statement_id')
    .leftJoin('statement as before', (join) =>
      join.onRef('before.id', '=', 'seen_statement').on('before.discarded_at', 'is', null),
    )
    .select(['fingerprint', 'statement_id', 'number', 'account', 'reference', 'text', 'bank_reference'])
    .select(['statement.file_name', 'statement.taken_at'])
    .select(['set_aside_reason', 'returned_statement', 'command_id', 'edit_id'])
    .where('statement.discarded_at', 'is', null)
    .where('before.id', 'is', null)
    .orderBy('statement.taken_at')
    .orderBy('number')

export const findSeen = (db: Kysely<Tables>, fingerprints: readonly string[]): Promise<Seen[]> =>
  seenLines(db)
    .where(sql<boolean>`fingerprint = ANY(${[...fingerprints]})`)
    .execute()

export const findSeenOf = (db: Kysely<Tables>, statementId: string): Promise<Seen[]> =>
  seenLines(db).where('statement_id', '=', statementId).execute()

export const findOpenPayments = (db: Kysely<Tables>, id: string) =>
  db
    .selectFrom('statement_line')
    .select(['number', 'account', 'currency', 'amount', 'reference', 'bank_reference as bankReference'])
    .select('booked_on as bookedOn')
    .where('statement_id', '=', id)
    .where('set_aside_reason', 'is', null)
    // Not those that a person put back.
    .where(({ not, and, eb }) => not(and([eb('returned_statement', 'is', null), eb('returned_key', 'is not', null)])))
    .orderBy('number')
    .execute()

type LineColumn = 'statement_id' | 'number' | 'account' | 'currency' | 'amount' | 'booked_on'
type PaymentColumn = LineColumn | 'reference' | 'bank_reference' | 'returned_statement' | 'returned_key'

export type EarlierPayment = Pick<StatementRow, 'file_name'> & Pick<Selectable<Tables['statement_line']>, PaymentColumn>

/** In statements imported since then (ISO 8601), not discarded. Not set aside, or only by returns of `except`. */
export const findPaymentsOf = (
  db: Kysely<Tables>,
  amounts: readonly string[],
  { since, except }: { readonly since: string; readonly except: string | null },
): Promise<EarlierPayment[]> =>
  db
    .selectFrom('statement_line')
    .innerJoin('statement', 'statement.id', 'statement_line.statement_id')
    .select(['statement_id', 'number', 'account', 'statement_line.currency', 'statement_line.amount'])
    .select(['booked_on', 'reference', 'bank_reference', 'returned_statement', 'returned_key', 'file_name'])
    .where('taken_at', '>=', since)
    .where('discarded_at', 'is', null)
    .where((row) =>
      row.or([
        row('set_aside_reason', 'is', null),
        row.and([row('set_aside_by', 'is', null), row('returned_statement', '=', except)]),
      ]),
    )
    .where(sql<boolean>`statement_line.amount::numeric = ANY(${[...amounts]}::numeric[])`)
    .orderBy('statement.taken_at')
    .orderBy('number')
    .execute()

export async function findMapping(db: Kysely<Tables>, owner: string, columnsHash: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('statement_mapping')
    .select('mapping')
    .where('owner', '=', owner)
    .where('columns_hash', '=', columnsHash)
    .executeTakeFirst()
  return row?.mapping
}

export async function saveMapping(
  db: Kysely<Tables>,
  { owner, columnsHash, mapping }: { readonly owner: string; readonly columnsHash: string; readonly mapping: string },
): Promise<void> {
  const used_at = new Date().toISOString()
  await inTransaction(db, async (trx) => {
    await trx
      .insertInto('statement_mapping')
      .values({ owner, columns_hash: columnsHash, mapping, used_at })
      .onConflict((conflict) => conflict.columns(['owner', 'columns_hash']).doUpdateSet({ mapping, used_at }))
      .execute()
    const kept = trx
      .selectFrom('statement_mapping')
      .select('columns_hash')
      .where('owner', '=', owner)
      .orderBy('used_at', 'desc')
      .limit(MAPPINGS_MAX)
    await trx.deleteFrom('statement_mapping').where('owner', '=', owner).where('columns_hash', 'not in', kept).execute()
  })
}

interface RecordedEdit {
  readonly what: string
  readonly old: string
  readonly new: string
  readonly released: string | null
}

const doneWith = (lines: readonly Line[]): string =>
  JSON.stringify({ class: 'done', steps: [], lines } satisfies Outcome)

const lineOf = (label: string, value: string, as: 'mono' | 'text'): Line[] =>
  value === '' ? [] : [{ label, value, as }]

export function recordEdit(
  trx: Trx,
  { actor, displayName }: Session,
  line: { readonly statement_id: string; readonly number: number },
  edit: RecordedEdit,
): Promise<string> {
  const { what, released } = edit
  const as = isOfReference(what) ? 'mono' : 'text'
  return recordAct(trx, {
    kind: 'statement.edit-line',
    actor,
    actorName: displayName,
    target: line.statement_id,
    params: { line: line.number, what },
    outcome: doneWith([
      { label: 'Line', value: formatCount(line.number), as: 'text' },
      { label: 'What', value: lineEditWords(what), as: 'text' },
      ...lineOf('Before', edit.old, as),
      ...lineOf('After', edit.new, as),
    ]),
    note: { statement: line.statement_id, line: line.number, what, old: edit.old, new: edit.new, released },
  })
}

/** Must not contain data of payers. */
type Counted = Pick<NewStatement, 'id' | 'digest' | 'format' | 'left_out'> & {
  readonly lines: number
  /** Warnings of the import or restore; `reason`: why the file was imported in spite of them. */
  readonly accepted?: readonly string[]
  readonly reason?: string
}

export const recordFile = (
  trx: Trx,
  kind: 'statement.import' | 'statement.discard' | 'statement.restore',
  { actor, displayName }: Session,
  { id, digest, format, lines, left_out, accepted = [], reason = '' }: Counted,
): Promise<string> =>
  recordAct(trx, {
    kind,
    actor,
    actorName: displayName,
    target: id,
    params: { lines, leftOut: left_out, format, sha256: digest },
    outcome: doneWith([
      { label: 'Lines', value: formatCount(lines), as: 'text' },
      { label: 'Skipped', value: formatCount(left_out), as: 'text' },
      { label: 'Format', value: format, as: 'text' },
      { label: 'SHA-256', value: digest, as: 'mono' },
      ...accepted.map((value): Line => ({ label: 'Warning', value, as: 'text' })),
      ...(reason === '' ? [] : [{ label: 'Reason', value: reason, as: 'text' } as const]),
    ]),
    note: { statement: id, lines, leftOut: left_out, format, sha256: digest, accepted: accepted.length, reason },
  })
