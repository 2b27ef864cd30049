import { invalidField, Refusal } from '#sandbox/http/problem.ts'
import type { Answer } from '#sandbox/http/serve.ts'
import { lockedCurrentRow } from '#sandbox/ledger/append.ts'
import { acceptConfirmation, mintIntoEscrow, scheduleMint } from '#sandbox/ledger/deposit.ts'
import type { World } from '#sandbox/world/world.ts'
import { transactionNotFound } from './visible.ts'
import { operationBody } from './wire.ts'

const BANK_REFERENCE_MAX_CHARS = 140

/** Credits once: a second call finds the deposit no longer QUEUED (interface.md, "Transaction transitions"). */
export async function confirmDeposit(
  world: World,
  input: { readonly referenceId: string; readonly bankReference: string },
  slow: boolean,
): Promise<Answer> {
  const bankReference = input.bankReference.trim()
  if (bankReference === '') throw invalidField('bankReference', 'is required')
  if (bankReference.length > BANK_REFERENCE_MAX_CHARS) {
    throw invalidField('bankReference', `has at most ${BANK_REFERENCE_MAX_CHARS} characters`)
  }
  return await world.db.transaction().execute(async (trx) => {
    const row = await lockedCurrentRow(trx, input.referenceId)
    if (row === undefined) throw transactionNotFound()
    if (row.transaction_type !== 'DEPOSIT' || row.state !== 'QUEUED') {
      throw new Refusal(
        409,
        'core::kineto::deposit::confirm::fail',
        `Only a queued deposit can be confirmed; this is ${row.state}.`,
      )
    }
    const pending = await acceptConfirmation(trx, world.random, row, bankReference, world.clock.now())
    if (slow) {
      await scheduleMint(trx, pending)
      const data = operationBody(pending, 'Accepted; the balance is being minted.', true)
      return { status: 202, data: { ...data, chainReferenceId: '', txContractAddress: '' } }
    }
    const minted = await mintIntoEscrow(trx, world.random, pending, world.clock.now())
    const data = operationBody(minted, 'Confirmed; held for 24 hours.', false)
    return {
      status: 200,
      data: { ...data, chainReferenceId: minted.chain_reference_id, txContractAddress: minted.tx_contract_address },
    }
  })
}
