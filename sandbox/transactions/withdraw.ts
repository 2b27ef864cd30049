import type { Caller } from '#sandbox/http/caller.ts'
import { invalidField } from '#sandbox/http/problem.ts'
import { type Answer, ok, readBy } from '#sandbox/http/serve.ts'
import { RESERVE_ACCOUNT_ID } from '#sandbox/ledger/accounts.ts'
import { readAmount } from '#sandbox/ledger/amount.ts'
import { lockLedger } from '#sandbox/ledger/append.ts'
import { newReference } from '#sandbox/ledger/reference.ts'
import { covers, withdraw as payOut } from '#sandbox/ledger/spend.ts'
import type { World } from '#sandbox/world/world.ts'
import { refused } from './spend.ts'
import { withdrawRequest } from './spend-requests.ts'
import { operationBody } from './wire.ts'

export async function withdraw(world: World, caller: Caller, body: unknown): Promise<Answer> {
  const request = readBy(withdrawRequest, body)
  const amount = readAmount(request.amount)
  if (!amount.ok) throw invalidField('amount', amount.why)
  const row = await world.db.transaction().execute(async (trx) => {
    await lockLedger(trx)
    if (!(await covers(trx, caller.userId, amount.units))) {
      throw refused('WITHDRAWAL', 'The available balance does not cover this.')
    }
    const at = world.clock.now()
    return await payOut(trx, world.random, {
      referenceId: newReference('WDR', world.random, at),
      type: 'WITHDRAWAL',
      from: caller.userId,
      to: RESERVE_ACCOUNT_ID,
      units: amount.units,
      note: request.note,
      cardId: null,
      at,
    })
  })
  return ok(operationBody(row, 'The bank pays it out.', false))
}
