import type { Caller } from '#sandbox/http/caller.ts'
import { type Answer, ok } from '#sandbox/http/serve.ts'
import { writeOrFail } from '#sandbox/http/write-or-fail.ts'
import type { World } from '#sandbox/world/world.ts'
import { enrolmentWriteFailure } from './enrol.ts'
import { codeInvalid, takeCode } from './take-code.ts'
import { totpStatus } from './totp-status.ts'

export async function confirmEnrolment(world: World, caller: Caller, code: string): Promise<Answer> {
  const confirmed = await writeOrFail(world, enrolmentWriteFailure, async (trx) => {
    if (!(await takeCode(world, trx, caller.userId, code, 'pending'))) return false
    await trx
      .updateTable('totp')
      .set((row) => ({ secret: row.ref('pending_secret'), pending_secret: null, enrolled_at: world.clock.now() }))
      .where('user_id', '=', caller.userId)
      .execute()
    return true
  })
  if (!confirmed) throw codeInvalid()
  return ok(await totpStatus(world, caller.userId))
}
