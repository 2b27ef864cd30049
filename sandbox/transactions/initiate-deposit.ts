import type { Caller } from '#sandbox/http/caller.ts'
import { invalidField } from '#sandbox/http/problem.ts'
import { type Answer, ok } from '#sandbox/http/serve.ts'
import { readAmount } from '#sandbox/ledger/amount.ts'
import { lockLedger } from '#sandbox/ledger/append.ts'
import { queueDeposit } from '#sandbox/ledger/deposit.ts'
import { newReference } from '#sandbox/ledger/reference.ts'
import type { World } from '#sandbox/world/world.ts'
import { operationBody } from './wire.ts'

const NOTE_MAX_CHARS = 500

export async function initiateDeposit(
  world: World,
  caller: Caller,
  input: { readonly amount: string; readonly note?: string | undefined },
): Promise<Answer> {
  const amount = readAmount(input.amount)
  if (!amount.ok) throw invalidField('amount', amount.why)
  if ((input.note?.length ?? 0) > NOTE_MAX_CHARS) throw invalidField('note', `has at most ${NOTE_MAX_CHARS} characters`)
  const row = await world.db.transaction().execute(async (trx) => {
    await lockLedger(trx)
    const at = world.clock.now()
    return await queueDeposit(trx, world.random, {
      referenceId: newReference('DEP', world.random, at),
      userId: caller.userId,
      units: amount.units,
      note: input.note ?? '',
      at,
    })
  })
  return ok(operationBody(row, 'Send the money to the bank with this reference.', false))
}
