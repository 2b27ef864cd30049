import type { Caller } from '#sandbox/http/caller.ts'
import { Refusal } from '#sandbox/http/problem.ts'
import type { LedgerRow } from '#sandbox/ledger/rows.ts'
import type { Db } from '#sandbox/world/tables.ts'

export interface Parties {
  readonly sender: string
  readonly recipient: string
}

/** A merchant is represented by its owner. */
export async function partiesOf(db: Db, row: LedgerRow): Promise<Parties> {
  const merchant = await db
    .selectFrom('merchant')
    .select('owner_user_id')
    .where('account_id', '=', row.to_account_id)
    .executeTakeFirst()
  return { sender: row.from_account_id, recipient: merchant?.owner_user_id ?? row.to_account_id }
}

/** A 403 means a missing scope (interface.md). */
export function refuseParty(caller: Caller, parties: readonly string[]): void {
  if (parties.includes(caller.userId)) {
    throw new Refusal(409, 'core::disputes::party', 'Nobody can resolve a dispute of their own.')
  }
}
