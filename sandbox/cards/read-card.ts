import type { Caller } from '#sandbox/http/caller.ts'
import { type Answer, ok } from '#sandbox/http/serve.ts'
import type { World } from '#sandbox/world/world.ts'
import { cardNotFound, findCard } from './card-rows.ts'
import { cardBodyWithNumber } from './wire.ts'

/** One of the caller's own cards; 404 for any other, whatever the caller's role. */
export async function readCard(world: World, caller: Caller, cardId: string): Promise<Answer> {
  const card = await findCard(world.db, cardId, caller.userId)
  if (card === undefined) throw cardNotFound()
  return ok(cardBodyWithNumber(card))
}
