import type { Caller } from '#sandbox/http/caller.ts'
import type { Answer } from '#sandbox/http/serve.ts'
import type { World } from '#sandbox/world/world.ts'
import { stateRefused } from './card-rows.ts'
import { changeCard } from './change-card.ts'

/** The route has checked the step-up grant. */
export async function unfreezeCard(world: World, caller: Caller, cardId: string): Promise<Answer> {
  return await changeCard(world, cardId, caller.userId, (card) => {
    if (card.status !== 'ACTIVE') {
      throw stateRefused(`Only a card that is ACTIVE can be unfrozen; this is ${card.status}.`)
    }
    if (!card.frozen) throw stateRefused('This card is not frozen.')
    return { frozen: false, frozen_at: null }
  })
}
