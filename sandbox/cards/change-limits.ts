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

/** The order matters: validation, the card's state, then step-up (interface.md, "Cards", cap rules 3 to 5). */
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
    // Between two transactions, because it reads other tables. A grant also covers caps that changed in between.
    await requireStepUp(world, caller.userId, grant, true)
  }
}

/** Returns null, and writes nothing, if the change loosens and must not. */
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
