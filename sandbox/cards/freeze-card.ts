import type { Caller } from '#sandbox/http/caller.ts'
import type { Answer } from '#sandbox/http/serve.ts'
import type { World } from '#sandbox/world/world.ts'
import { stateRefused } from './card-rows.ts'
import { changeCard } from './change-card.ts'

/** Never needs step-up: a holder who lost the card must freeze it at once. */
export async function freezeCard(world: World, caller: Caller, cardId: string): Promise<Answer> {
  return await changeCard(world, cardId, caller.userId, (card) => {
    if (card.status !== 'ACTIVE') {
      throw stateRefused(`Only a card that is ACTIVE can be frozen; this is ${card.status}.`)
    }
    if (card.frozen) throw stateRefused('This card is frozen already.')
    return { frozen: true, frozen_at: world.clock.now() }
  })
}
