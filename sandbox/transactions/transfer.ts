import type { Caller } from '#sandbox/http/caller.ts'
import { type Answer, readBy } from '#sandbox/http/serve.ts'
import type { World } from '#sandbox/world/world.ts'
import { refused, spend } from './spend.ts'
import { p2pRequest } from './spend-requests.ts'

export async function transferToUser(world: World, caller: Caller, body: unknown, slow: boolean): Promise<Answer> {
  const { recipientId, ...request } = readBy(p2pRequest, body)
  return await spend(world, {
    ...request,
    type: 'P2P',
    from: caller.userId,
    to: recipientId,
    cardId: null,
    slow,
    async check(trx) {
      const wallet = await trx
        .selectFrom('account')
        .select('id')
        .where('id', '=', recipientId)
        .where('kind', '=', 'wallet')
        .executeTakeFirst()
      return wallet === undefined ? refused('P2P', 'There is no such recipient.') : null
    },
  })
}
