import type { Caller } from '#sandbox/http/caller.ts'
import { Refusal } from '#sandbox/http/problem.ts'
import { type Answer, ok } from '#sandbox/http/serve.ts'
import { lockedCurrentRow } from '#sandbox/ledger/append.ts'
import { transactionNotFound, visibleTo } from '#sandbox/transactions/visible.ts'
import { operationBody } from '#sandbox/transactions/wire.ts'
import type { World } from '#sandbox/world/world.ts'
import { partiesOf, requireArbitrator } from './parties.ts'
import { moveMoney, type Resolution, readResolution, reversalOf } from './resolution.ts'

/** Does not close the case; the case's endpoint does. */
export async function resolveByTransaction(
  world: World,
  caller: Caller,
  { referenceId, ...given }: Resolution & { readonly referenceId: string },
): Promise<Answer> {
  const resolution = readResolution(given)
  if (referenceId.includes('\0')) throw transactionNotFound()
  return await world.db.transaction().execute(async (trx) => {
    const row = await lockedCurrentRow(trx, referenceId)
    if (row === undefined || !visibleTo(caller, row)) throw transactionNotFound()
    const { sender, recipient } = await partiesOf(trx, row)
    requireArbitrator(caller, [sender, recipient])
    if (row.state !== 'DISPUTED') {
      throw new Refusal(
        409,
        'core::kineto::dispute::resolve::fail',
        `Only a DISPUTED transaction can be resolved; this is ${row.state}.`,
      )
    }
    const reversal = await moveMoney(trx, world.random, row, resolution, world.clock.now())
    const message = reversal === null ? 'The recipient keeps the money.' : 'The sender is refunded.'
    return ok({ ...operationBody({ ...row, state: 'PROCESSED' }, message, false), ...reversalOf(reversal) })
  })
}
