import 'server-only'
import { createHash } from 'node:crypto'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { inJournal } from '#lib/journal/sequencer.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { lockLine } from './line-changes.ts'
import { changeLine } from './line-table.ts'
import { judged } from './shown-lines.ts'
import { recordEdit } from './statement-table.ts'
import type { FoundReferences } from './statement-view.ts'

/** The journal waits for each part. */
const LINES_AT_ONCE = 25
const TEXT_CHARS = 300

/** Unknown lines that name exactly one transaction: a QUEUED deposit of their amount, named by no other such line. */
const foundLines = (statementId: string, columns: RawBuilder<unknown>) => sql`
  WITH alone AS (
    SELECT number, min(reference) AS reference, min(state) AS state, min(debit) AS debit, bool_and(is_whole) AS is_whole
    FROM statement_suggestion
    WHERE statement_id = ${statementId} AND found_in <> 'payer' GROUP BY number HAVING count(*) = 1)
  SELECT ${columns} FROM ${judged(statementId)} JOIN alone ON alone.number = judged.number
  WHERE judged.status = 'unknown' AND judged.bank_key IS NOT NULL AND judged.currency IN ('', 'BZD')
    AND alone.is_whole AND alone.state = 'QUEUED' AND alone.debit::numeric = judged.amount::numeric
    AND NOT EXISTS (SELECT 1 FROM alone other WHERE other.reference = alone.reference AND other.number <> alone.number)
    AND NOT EXISTS (SELECT 1 FROM statement_line named
      WHERE named.statement_id = ${statementId} AND named.sought = alone.reference)`

const SHOWN = sql`judged.number, judged.amount, judged.currency, left(judged.text, ${TEXT_CHARS}) AS text,
  judged.reference AS given, alone.reference`

type FoundLine = FoundReferences['lines'][number]

async function readFound(db: Kysely<Tables>, statementId: string) {
  const { rows } = await sql<FoundLine & { readonly edit_id: string | null }>`
    ${foundLines(statementId, sql`${SHOWN}, judged.edit_id`)} ORDER BY judged.number`.execute(db)
  const lines: readonly FoundLine[] = rows.map(({ edit_id: _, ...line }) => line)
  const seal = createHash('sha256').update(JSON.stringify(lines)).digest('hex')
  return { rows, found: { lines, seal } }
}

export const findFoundReferences = async (db: Kysely<Tables>, statementId: string): Promise<FoundReferences> =>
  (await readFound(db, statementId)).found

export async function countFoundReferences(db: Kysely<Tables>, statementId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`${foundLines(statementId, sql`count(*) AS count`)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** False if the references differ from those that the operator saw (`seal`). A line that was changed meanwhile is left. */
export async function acceptFoundReferences(session: Session, statementId: string, seal: string): Promise<boolean> {
  const db = await store()
  const { rows, found } = await readFound(db, statementId)
  if (rows.length === 0 || found.seal !== seal) return false
  for (let start = 0; start < rows.length; start += LINES_AT_ONCE) {
    const part = rows.slice(start, start + LINES_AT_ONCE)
    await inJournal(db, async (trx) => {
      for (const { number, reference, edit_id: lastEdit } of part) {
        const at = { statementId, number }
        const line = await lockLine(trx, at)
        if (line?.verdict !== 'unknown' || line.edit_id !== lastEdit || line.set_aside_reason !== null) continue
        const edit = { what: 'accept-found', old: line.sought, new: reference, released: null }
        const edit_id = await recordEdit(trx, session, line, edit)
        const accepted = { sought: reference, sought_from: 'found', verdict: 'unread', note: null } as const
        await changeLine(trx, at, { ...accepted, sought_edit_id: edit_id, edit_id })
        const entered = { edit_id, actor: session.actor, reference, bank_key: null, found: true }
        await trx.insertInto('entered_reference').values(entered).execute()
      }
    })
  }
  return true
}
