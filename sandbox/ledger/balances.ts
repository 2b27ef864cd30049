import type { Db } from '#sandbox/world/tables.ts'
import { formatUnits, parseUnits, type Units } from './amount.ts'

export async function bucketBalance(db: Db, accountId: string, bucket: 'available' | 'escrow'): Promise<Units> {
  const last = await db
    .selectFrom('ledger_entry')
    .select('balance_after')
    .where('account_id', '=', accountId)
    .where('bucket', '=', bucket)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return parseUnits(last?.balance_after ?? '0')
}

/** Decimal text. Escrow counts toward the total but not the available balance (interface.md, "Balance"). */
export async function balancesOf(
  db: Db,
  accountId: string,
): Promise<{ totalBalance: string; availableBalance: string }> {
  const available = await bucketBalance(db, accountId, 'available')
  const escrow = await bucketBalance(db, accountId, 'escrow')
  return { totalBalance: formatUnits(available + escrow), availableBalance: formatUnits(available) }
}
