import type { Caller } from '#sandbox/http/caller.ts'
import { invalidField } from '#sandbox/http/problem.ts'
import type { Answer } from '#sandbox/http/serve.ts'
import type { World } from '#sandbox/world/world.ts'
import { bareNumber } from './card-number.ts'
import { stateRefused } from './card-rows.ts'
import { changeCard } from './change-card.ts'

/** The holder proves with the printed number that they have the card. */
export async function activateCard(world: World, caller: Caller, cardId: string, typed: string): Promise<Answer> {
  return await changeCard(world, cardId, caller.userId, (card) => {
    if (card.status !== 'UNISSUED') {
      throw stateRefused(`Only a card that is UNISSUED can be activated; this is ${card.status}.`)
    }
    if (bareNumber(typed) !== card.card_number) throw invalidField('cardNumber', 'is not the number on this card')
    return { status: 'ACTIVE', activated_at: world.clock.now() }
  })
}
