import { sql } from 'kysely'
import { userIdEndingIn } from '#sandbox/seed/people.ts'
import type { Db } from '#sandbox/world/tables.ts'
import type { Sample } from './control-list.ts'

const SHOWN_MAX = 50

export function queuedDeposits(db: Db) {
  return db
    .selectFrom('ledger_row as row')
    .innerJoin('app_user', 'app_user.id', 'row.to_account_id')
    .select(['row.reference_id', 'row.debit', 'row.note', 'row.created_at', 'app_user.email'])
    .where('row.state', '=', 'QUEUED')
    .where('row.transaction_type', '=', 'DEPOSIT')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('ledger_row as later')
            .select('later.row_id')
            .whereRef('later.reference_id', '=', 'row.reference_id')
            .whereRef('later.version', '>', 'row.version'),
        ),
      ),
    )
    .orderBy('row.created_at', 'desc')
    .limit(SHOWN_MAX)
    .execute()
}

export async function sampleOf(db: Db): Promise<Sample> {
  const { rows } = await sql<Sample>`
    SELECT latest.reference_id AS "referenceId", latest.from_account_id AS "senderId" FROM ledger_due
    CROSS JOIN LATERAL (
      SELECT * FROM ledger_row WHERE reference_id = ledger_due.reference_id ORDER BY version DESC LIMIT 1
    ) latest
    WHERE latest.transaction_type = 'P2P' AND latest.state = 'PROCESSING'
    ORDER BY ledger_due.due_at DESC LIMIT 1`.execute(db)
  return rows[0] ?? { referenceId: 'P2P~…', senderId: userIdEndingIn('011') }
}
