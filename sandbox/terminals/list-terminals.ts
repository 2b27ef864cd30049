import type { Caller } from '#sandbox/http/caller.ts'
import { type Answer, ok } from '#sandbox/http/serve.ts'
import type { World } from '#sandbox/world/world.ts'
import { terminalInvalid } from './refusals.ts'
import { requireVisibleMerchant } from './visible.ts'
import { terminalBody } from './wire.ts'

export async function listTerminals(world: World, caller: Caller, asked: string | undefined): Promise<Answer> {
  const merchantId = asked?.trim() ?? ''
  if (merchantId === '') throw terminalInvalid({ merchantId: ['is required'] })
  await requireVisibleMerchant(world.db, caller, merchantId)
  const terminals = await world.db
    .selectFrom('terminal')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .orderBy('registered_at')
    .orderBy('id')
    .execute()
  return ok({ terminals: terminals.map(terminalBody) })
}
