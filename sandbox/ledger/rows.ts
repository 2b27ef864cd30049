import type { Selectable } from 'kysely'
import type { Db, Tables } from '#sandbox/world/tables.ts'

export type LedgerRow = Selectable<Tables['ledger_row']>

export const currentRow = (db: Db, referenceId: string): Promise<LedgerRow | undefined> =>
  db
    .selectFrom('ledger_row')
    .selectAll()
    .where('reference_id', '=', referenceId)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
