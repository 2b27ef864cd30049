import type { Caller } from '#sandbox/http/caller.ts'
import { type Answer, ok } from '#sandbox/http/serve.ts'
import type { World } from '#sandbox/world/world.ts'
import { cardNotFound, findCard } from './card-rows.ts'
import { cardBodyWithNumber } from './wire.ts'

/** 404 for another holder's card, whatever the caller's role. */
export async function readCard(world: World, caller: Caller, cardId: string): Promise<Answer> {
  const card = await findCard(world.db, cardId, caller.userId)
  if (card === undefined) throw cardNotFound()
  return ok(cardBodyWithNumber(card))
}
