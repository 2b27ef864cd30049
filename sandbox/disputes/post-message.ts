import type { Caller } from '#sandbox/http/caller.ts'
import { requiredText } from '#sandbox/http/required-text.ts'
import { type Answer, ok } from '#sandbox/http/serve.ts'
import type { World } from '#sandbox/world/world.ts'
import { appendMessage } from './messages.ts'
import { lockedVisibleCase, requireOpen } from './visible.ts'
import { messageBody } from './wire.ts'

const BODY_MAX_CHARS = 4000

/** Written under the case's lock, so that no message follows the resolution. */
export async function postMessage(world: World, caller: Caller, caseId: string, text: string): Promise<Answer> {
  const body = requiredText('body', text, BODY_MAX_CHARS)
  const posted = await world.db.transaction().execute(async (trx) => {
    const open = await lockedVisibleCase(trx, caller, caseId)
    requireOpen(open)
    const message = { caseId: open.id, senderUserId: caller.userId, body, at: world.clock.now() }
    return await appendMessage(trx, world.random, message)
  })
  const payload = messageBody(posted)
  world.disputeEvents.publish({ name: 'MessagePosted', caseId: posted.case_id, payload })
  return ok(payload)
}
