import type { Trx } from '#sandbox/world/tables.ts'
import type { World } from '#sandbox/world/world.ts'
import { appendState, lockedCurrentRow } from './append.ts'
import { mintIntoEscrow } from './deposit.ts'
import { onChain } from './reference.ts'
import type { LedgerRow } from './rows.ts'
import { confirmOnChain, settleHeld } from './transitions.ts'

/** Oldest first, one database transaction each. Returns how many moved. */
export async function workDue(world: World): Promise<number> {
  let moved = 0
  for (;;) {
    const next = await world.db
      .selectFrom('ledger_due')
      .select(['reference_id', 'due_at'])
      .where('due_at', '<=', world.clock.now())
      .orderBy('due_at')
      .limit(1)
      .executeTakeFirst()
    if (next === undefined) return moved
    await world.db.transaction().execute((trx) => takeDue(world, trx, next.reference_id))
    moved += 1
  }
}

async function takeDue(world: World, trx: Trx, referenceId: string): Promise<void> {
  const row = await lockedCurrentRow(trx, referenceId)
  const taken = await trx
    .deleteFrom('ledger_due')
    .where('reference_id', '=', referenceId)
    .where('due_at', '<=', world.clock.now())
    .executeTakeFirst()
  if (row !== undefined && taken.numDeletedRows > 0n) await moveOn(world, trx, row)
}

async function moveOn(world: World, trx: Trx, row: LedgerRow): Promise<void> {
  const at = world.clock.now()
  const withdrawal = row.transaction_type === 'WITHDRAWAL'
  if (row.state === 'QUEUED' && withdrawal) {
    const pending = await appendState(trx, row, { state: 'PENDING', recorded_at: at })
    const change = { state: 'PROCESSING', ...onChain(), recorded_at: at }
    await settleHeld(trx, await appendState(trx, pending, change), world.clock.now())
  } else if (row.state === 'PENDING') {
    await mintIntoEscrow(trx, row, at)
  } else if (row.state === 'PROCESSING' && row.chain_reference_id === '') {
    await confirmOnChain(trx, row, at)
  } else if (row.state === 'PROCESSING') {
    await settleHeld(trx, row, at)
  }
}
