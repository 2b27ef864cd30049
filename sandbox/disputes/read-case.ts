import { PAGE_SIZE_DEFAULT } from '#lib/contract/wire.ts'
import type { Caller } from '#sandbox/http/caller.ts'
import { type Answer, ok } from '#sandbox/http/serve.ts'
import type { World } from '#sandbox/world/world.ts'
import { pageOfThread } from './messages.ts'
import { visibleCase } from './visible.ts'
import { caseBody, messageBody } from './wire.ts'

export async function readCase(world: World, caller: Caller, caseId: string): Promise<Answer> {
  const row = await visibleCase(world.db, caller, caseId)
  const messages = await pageOfThread(world.db, row.id, { page: 1, pageSize: PAGE_SIZE_DEFAULT })
  return ok({ ...caseBody(row), messages: messages.map(messageBody) })
}
