import type { Caller } from '#sandbox/http/caller.ts'
import { type Answer, ok } from '#sandbox/http/serve.ts'
import { writeOrFail } from '#sandbox/http/write-or-fail.ts'
import type { World } from '#sandbox/world/world.ts'
import { enrolmentWriteFailure } from './enrol.ts'
import { voidGrants } from './grants.ts'
import { codeInvalid, takeCode } from './take-code.ts'
import { totpStatus } from './totp-status.ts'

/** Needs a current code. Ends every grant of the user. */
export async function removeTotp(world: World, caller: Caller, code: string): Promise<Answer> {
  const removed = await writeOrFail(world, enrolmentWriteFailure, async (trx) => {
    if (!(await takeCode(world, trx, caller.userId, code, 'enrolled'))) return false
    await trx.deleteFrom('totp').where('user_id', '=', caller.userId).execute()
    await voidGrants(trx, caller.userId)
    return true
  })
  if (!removed) throw codeInvalid()
  return ok(await totpStatus(world, caller.userId))
}
