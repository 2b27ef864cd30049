import type { Caller } from '#sandbox/http/caller.ts'
import { Refusal } from '#sandbox/http/problem.ts'
import { type Answer, ok } from '#sandbox/http/serve.ts'
import { writeOrFail } from '#sandbox/http/write-or-fail.ts'
import type { World } from '#sandbox/world/world.ts'
import { terminalWriteFailure } from './refusals.ts'
import { visibleTerminal } from './visible.ts'
import { terminalBody } from './wire.ts'

/** Final. 409 if already DISABLED. */
export async function disableTerminal(world: World, caller: Caller, terminalId: string): Promise<Answer> {
  const terminal = await writeOrFail(world, terminalWriteFailure, async (trx) => {
    const { id } = await visibleTerminal(trx, caller, terminalId)
    const disabled = await trx
      .updateTable('terminal')
      .set({ status: 'DISABLED', updated_at: world.clock.now() })
      .where('id', '=', id)
      .where('status', '=', 'ACTIVE')
      .returningAll()
      .executeTakeFirst()
    if (disabled === undefined) {
      throw new Refusal(409, 'core::tessera::request::invalid', 'This terminal is disabled already.')
    }
    return disabled
  })
  return ok(terminalBody(terminal))
}
