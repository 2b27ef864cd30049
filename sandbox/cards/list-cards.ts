import type { Caller } from '#sandbox/http/caller.ts'
import { type Answer, ok } from '#sandbox/http/serve.ts'
import type { World } from '#sandbox/world/world.ts'
import { cardBody } from './wire.ts'

export async function listCards(world: World, caller: Caller): Promise<Answer> {
  const cards = await world.db
    .selectFrom('card')
    .selectAll()
    .where('user_id', '=', caller.userId)
    .orderBy('issued_at', 'desc')
    .orderBy('id')
    .execute()
  return ok({ cards: cards.map(cardBody) })
}
