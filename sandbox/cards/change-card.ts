import { type Answer, ok } from '#sandbox/http/serve.ts'
import { writeOrFail } from '#sandbox/http/write-or-fail.ts'
import type { World } from '#sandbox/world/world.ts'
import { type CardChange, type CardRow, cardNotFound, lockedCard, updateCard, writeFailure } from './card-rows.ts'
import { cardBody } from './wire.ts'

/** `holderId` null: any holder's card. `decide` runs under the card's lock and throws to refuse. */
export async function changeCard(
  world: World,
  cardId: string,
  holderId: string | null,
  decide: (card: CardRow) => CardChange,
): Promise<Answer> {
  return await writeOrFail(world, writeFailure, async (trx) => {
    const card = await lockedCard(trx, cardId, holderId)
    if (card === undefined) throw cardNotFound()
    return ok(cardBody(await updateCard(trx, card, decide(card))))
  })
}
