import { uuid } from '#lib/contract/wire.ts'
import type { Caller } from '#sandbox/http/caller.ts'
import type { Db } from '#sandbox/world/tables.ts'
import { terminalNotFound } from './refusals.ts'
import type { Terminal } from './wire.ts'

/** PostgreSQL cannot compare text with NUL. */
const isStorable = (text: string): boolean => !text.includes('\0')

/** Throws 404 unless the caller owns the merchant or is a merchant admin. */
export async function requireVisibleMerchant(db: Db, caller: Caller, merchantId: string): Promise<void> {
  if (!isStorable(merchantId)) throw terminalNotFound()
  const merchant = await db
    .selectFrom('merchant')
    .select('owner_user_id')
    .where('id', '=', merchantId)
    .executeTakeFirst()
  if (merchant === undefined) throw terminalNotFound()
  if (caller.can.merchantAdmin !== true && merchant.owner_user_id !== caller.userId) throw terminalNotFound()
}

export async function visibleTerminal(db: Db, caller: Caller, terminalId: string): Promise<Terminal> {
  if (!uuid.safeParse(terminalId).success) throw terminalNotFound()
  const terminal = await db.selectFrom('terminal').selectAll().where('id', '=', terminalId).executeTakeFirst()
  if (terminal === undefined) throw terminalNotFound()
  await requireVisibleMerchant(db, caller, terminal.merchant_id)
  return terminal
}
