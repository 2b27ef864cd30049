import { cardRefusal } from '#sandbox/cards/spend-check.ts'
import type { Caller } from '#sandbox/http/caller.ts'
import { type Answer, readBy } from '#sandbox/http/serve.ts'
import type { World } from '#sandbox/world/world.ts'
import { refused, spend } from './spend.ts'
import { purchaseRequest } from './spend-requests.ts'

export async function purchase(world: World, caller: Caller, body: unknown, slow: boolean): Promise<Answer> {
  const { merchantId, cardId = null, ...request } = readBy(purchaseRequest, body)
  const merchant = await world.db
    .selectFrom('merchant')
    .select('account_id')
    .where('id', '=', merchantId)
    .executeTakeFirst()
  if (merchant === undefined) throw refused('PURCHASE', 'There is no such merchant.')
  return await spend(world, {
    ...request,
    type: 'PURCHASE',
    from: caller.userId,
    to: merchant.account_id,
    cardId,
    slow,
    check: async (trx, units, now) =>
      cardId === null ? null : await cardRefusal(trx, cardId, caller.userId, units, now),
  })
}
