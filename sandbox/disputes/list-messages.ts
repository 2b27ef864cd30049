import type { Caller } from '#sandbox/http/caller.ts'
import type { Page } from '#sandbox/http/page.ts'
import { type Answer, ok } from '#sandbox/http/serve.ts'
import type { World } from '#sandbox/world/world.ts'
import { lengthOfThread, pageOfThread } from './messages.ts'
import { visibleCase } from './visible.ts'
import { messageBody } from './wire.ts'

export async function listMessages(world: World, caller: Caller, caseId: string, page: Page): Promise<Answer> {
  const { id } = await visibleCase(world.db, caller, caseId)
  const messages = await pageOfThread(world.db, id, page)
  return ok({ messages: messages.map(messageBody), totalCount: await lengthOfThread(world.db, id) })
}
