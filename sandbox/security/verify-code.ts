import type { Caller } from '#sandbox/http/caller.ts'
import { type Answer, ok } from '#sandbox/http/serve.ts'
import type { World } from '#sandbox/world/world.ts'
import { issueGrant } from './grants.ts'
import { codeInvalid, takeCode } from './take-code.ts'

export async function verifyCode(world: World, caller: Caller, code: string): Promise<Answer> {
  const grant = await world.db
    .transaction()
    .execute(async (trx) =>
      (await takeCode(world, trx, caller.userId, code, 'enrolled'))
        ? await issueGrant(world, caller.userId, trx)
        : null,
    )
  if (grant === null) throw codeInvalid()
  return ok(grant)
}
