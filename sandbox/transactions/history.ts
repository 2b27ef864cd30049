import { sql } from 'kysely'
import { uuid } from '#lib/contract/wire.ts'
import type { Caller } from '#sandbox/http/caller.ts'
import type { Page } from '#sandbox/http/page.ts'
import { invalidField, Refusal } from '#sandbox/http/problem.ts'
import { type Answer, ok } from '#sandbox/http/serve.ts'
import type { LedgerRow } from '#sandbox/ledger/rows.ts'
import type { World } from '#sandbox/world/world.ts'
import { transactionBody } from './wire.ts'

/**
 * Newest first. Positions never change, so a page is a range of positions, and the last page is as fast as the first.
 */
export async function accountHistory(world: World, caller: Caller, accountId: string, page: Page): Promise<Answer> {
  if (!uuid.safeParse(accountId).success) throw invalidField('accountId', 'must be a UUID')
  const visible = accountId === caller.userId || caller.can.seesAllTransactions === true
  const account = await world.db.selectFrom('account').select('id').where('id', '=', accountId).executeTakeFirst()
  if (!visible || account === undefined) throw new Refusal(404, 'core::kineto::account::not_found', 'No such account.')

  const { total } = await world.db
    .selectFrom('ledger_history')
    .select((row) => row.fn.coalesce(row.fn.max('position'), sql<number>`0`).as('total'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  const newest = total - (page.page - 1) * page.pageSize
  const { rows } = await sql<LedgerRow>`
    SELECT r.* FROM ledger_history h
    CROSS JOIN LATERAL (
      SELECT * FROM ledger_row WHERE reference_id = h.reference_id ORDER BY version DESC LIMIT 1
    ) r
    WHERE h.account_id = ${accountId} AND h.position <= ${newest} AND h.position > ${newest - page.pageSize}
    ORDER BY h.position DESC`.execute(world.db)
  return ok({ transactions: rows.map(transactionBody), totalCount: total })
}
