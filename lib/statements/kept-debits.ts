import 'server-only'
import { type Kysely, sql } from 'kysely'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { debitKey, moneyKey } from './file/returned.ts'
import type { Debit } from './file/statement.ts'

/** Files are imported in another order than the bank's within this time. */
const DEBITS_KEPT_DAYS = 60

const AT_ONCE = 200

export async function keepDebits(trx: Trx, statement_id: string, debits: readonly Debit[]): Promise<void> {
  const rows = debits.map((debit, number) => ({
    ...{ statement_id, number, money: moneyKey(debit), key: debitKey(debit), debit: JSON.stringify(debit) },
  }))
  for (let start = 0; start < rows.length; start += AT_ONCE) {
    await trx
      .insertInto('statement_debit')
      .values(rows.slice(start, start + AT_ONCE))
      .execute()
  }
}

export const findDebitsOf = (db: Kysely<Tables>, statementId: string) =>
  db.selectFrom('statement_debit').select('debit').where('statement_id', '=', statementId).orderBy('number').execute()

/** `textKeptDays`: null if texts are kept for ever. */
export async function eraseOldDebits(db: Kysely<Tables>, textKeptDays: number | null): Promise<void> {
  const days = Math.min(DEBITS_KEPT_DAYS, textKeptDays ?? DEBITS_KEPT_DAYS)
  await sql`
    DELETE FROM statement_debit USING statement
    WHERE statement.id = statement_id AND taken_at < kept_since(${days})`.execute(db)
}

export interface KeptDebit {
  readonly statement_id: string
  readonly file_name: string
  readonly key: string
  readonly debit: string
}

/** Debits that took back no payment, as often as the statement that has them most often. `used`: keys of others. */
export async function findOpenDebits(
  db: Kysely<Tables>,
  by: 'money' | 'key',
  values: readonly string[],
  { except, used = [] }: { readonly except: string | null; readonly used?: readonly string[] },
): Promise<readonly KeptDebit[]> {
  const { rows } = await sql<KeptDebit>`
    WITH listed AS (
      SELECT debit.*, file_name, taken_at, row_number() OVER (PARTITION BY statement_id, key ORDER BY number) AS nth
      FROM statement_debit AS debit JOIN statement ON statement.id = statement_id AND discarded_at IS NULL
      WHERE ${sql.ref(by)} = ANY(${[...values]}::text[]) AND statement_id IS DISTINCT FROM ${except}),
    once AS (SELECT DISTINCT ON (key, nth) * FROM listed ORDER BY key, nth, taken_at)
    SELECT statement_id, file_name, key, debit FROM once ORDER BY taken_at, number`.execute(db)
  const known = await countKnownReturns(
    db,
    rows.map(({ key }) => key),
    except,
  )
  for (const key of used) known.set(key, (known.get(key) ?? 0) + 1)
  return rows.filter(({ key }) => {
    const left = known.get(key) ?? 0
    known.set(key, left - 1)
    return left <= 0
  })
}

/** Lines that each return has set aside, by its key. */
export async function countKnownReturns(
  db: Kysely<Tables>,
  keys: readonly string[],
  except: string | null,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ key: string; count: number }>`
    SELECT returned_key AS key, count(*)::integer AS count FROM statement_line AS line
      JOIN statement AS own ON own.id = line.statement_id AND own.discarded_at IS NULL
      LEFT JOIN statement AS later ON later.id = returned_statement AND later.discarded_at IS NULL
        AND later.id IS DISTINCT FROM ${except}
    WHERE returned_key = ANY(${[...keys]}::text[])
      AND CASE WHEN set_aside_reason IS NULL THEN returned_statement IS NULL AND own.id IS DISTINCT FROM ${except}
        ELSE later.id IS NOT NULL OR (returned <> '' AND seen_statement IS NULL AND own.id IS DISTINCT FROM ${except}) END
    GROUP BY 1`.execute(db)
  return new Map(rows.map(({ key, count }) => [key, count]))
}
