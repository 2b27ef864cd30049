import type { z } from 'zod'
import type { Caller } from '#sandbox/http/caller.ts'
import { type Answer, ok } from '#sandbox/http/serve.ts'
import { writeOrFail } from '#sandbox/http/write-or-fail.ts'
import { requireStepUp } from '#sandbox/security/grants.ts'
import type { World } from '#sandbox/world/world.ts'
import { type Caps, capColumns, capsOf, type limitsRequest, readCaps } from './caps.ts'
import { cardNotFound, lockedCard, stateRefused, updateCard, writeFailure } from './card-rows.ts'
import { loosens } from './loosens.ts'
import { cardBody } from './wire.ts'

/**
 * Replaces all three caps. The request is validated before anything else; then the card's state decides; then a change
 * that loosens needs a step-up grant, and an enrolled user (interface.md, "Cards", cap rules 3 to 5).
 */
export async function changeLimits(
  world: World,
  caller: Caller,
  cardId: string,
  request: z.output<typeof limitsRequest>,
  grant: string | null,
): Promise<Answer> {
  const caps = readCaps(request)
  for (let mayLoosen = false; ; mayLoosen = true) {
    const answer = await writeLimits(world, caller, cardId, caps, mayLoosen)
    if (answer !== null) return answer
    // It reads other tables, so it runs between two transactions; what it allows holds whatever the caps are by then.
    await requireStepUp(world, caller.userId, grant, true)
  }
}

/** Judges the change by the caps that it replaces, under the card's lock. Null, and nothing written, if it must not loosen. */
async function writeLimits(
  world: World,
  caller: Caller,
  cardId: string,
  caps: Caps,
  mayLoosen: boolean,
): Promise<Answer | null> {
  return await writeOrFail(world, writeFailure, async (trx) => {
    const card = await lockedCard(trx, cardId, caller.userId)
    if (card === undefined) throw cardNotFound()
    if (card.status === 'BLOCKED') throw stateRefused('The limits of a card that is BLOCKED cannot be changed.')
    if (!mayLoosen && loosens(capsOf(card), caps)) return null
    return ok(cardBody(await updateCard(trx, card, capColumns(caps))))
  })
}
