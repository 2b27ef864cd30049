import type { Answer } from '#sandbox/http/serve.ts'
import type { World } from '#sandbox/world/world.ts'
import { stateRefused } from './card-rows.ts'
import { changeCard } from './change-card.ts'

/** Final, from any state. Administrative: works on any holder's card. */
export async function blockCard(world: World, cardId: string): Promise<Answer> {
  return await changeCard(world, cardId, null, (card) => {
    if (card.status === 'BLOCKED') throw stateRefused('This card is BLOCKED already.')
    return { status: 'BLOCKED' }
  })
}
