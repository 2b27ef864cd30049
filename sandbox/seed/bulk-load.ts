import { sql } from 'kysely'
import type { Trx } from '#sandbox/world/tables.ts'

interface Index {
  readonly drop: string
  readonly make: string
}

/**
 * Runs `fill` with all keys and indexes of the world's tables taken away, and makes them again over all rows at once: twice as
 * fast as row by row when there are many. What breaks a key still fails, at the end.
 */
export async function withoutIndexes(trx: Trx, fill: () => Promise<void>): Promise<void> {
  const indexes = await readIndexes(trx)
  for (const { drop } of indexes.toReversed()) await sql.raw(drop).execute(trx)
  await fill()
  for (const { make } of indexes) await sql.raw(make).execute(trx)
}

/** In the order in which they can be made: keys, other indexes, and last what refers to a key. */
async function readIndexes(trx: Trx): Promise<readonly Index[]> {
  const { rows } = await sql<Index>`
    SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
      format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS make,
      CASE contype WHEN 'f' THEN 3 ELSE 1 END AS place
    FROM pg_constraint
    WHERE contype IN ('p', 'u', 'f') AND connamespace = current_schema()::regnamespace AND conrelid <> 'setting'::regclass
    UNION ALL
    SELECT format('DROP INDEX %s', indexrelid::regclass), pg_get_indexdef(indexrelid), 2
    FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE relnamespace = current_schema()::regnamespace
      AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid)
    ORDER BY place`.execute(trx)
  return rows
}
