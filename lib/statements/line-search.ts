import 'server-only'
import type { Kysely } from 'kysely'
import { foldBankReference } from '#lib/deposits/deposit.ts'
import type { Tables } from '#lib/store/tables.ts'
import { partPattern } from '#lib/store/transaction.ts'
import { LISTED_MAX } from './list.ts'

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
