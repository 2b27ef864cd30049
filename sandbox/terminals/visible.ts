import { uuid } from '#lib/contract/wire.ts'
import type { Caller } from '#sandbox/http/caller.ts'
import type { Db } from '#sandbox/world/tables.ts'
import { terminalNotFound } from './refusals.ts'
import type { Terminal } from './wire.ts'

/** A text that PostgreSQL can compare with another: it has no place for this character. */
const isStorable = (text: string): boolean => !text.includes('\0')

/** Lets the merchant's owner and merchant admins pass; for everyone else the merchant does not exist. */
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

/** A terminal of a merchant that the caller may see; refuses with 404 otherwise. */
export async function visibleTerminal(db: Db, caller: Caller, terminalId: string): Promise<Terminal> {
  if (!uuid.safeParse(terminalId).success) throw terminalNotFound()
  const terminal = await db.selectFrom('terminal').selectAll().where('id', '=', terminalId).executeTakeFirst()
  if (terminal === undefined) throw terminalNotFound()
  await requireVisibleMerchant(db, caller, terminal.merchant_id)
  return terminal
}
