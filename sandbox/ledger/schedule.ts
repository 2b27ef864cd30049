import type { Trx } from '#sandbox/world/tables.ts'

/** How long something that was accepted (202) takes to be confirmed, by the ledger's clock. */
export const ACCEPTED_SECONDS = 4

/** Asks the worker to look at a transaction at a time of the ledger's clock; a later request replaces the earlier. */
export async function scheduleDue(trx: Trx, referenceId: string, dueAt: string): Promise<void> {
  await trx
    .insertInto('ledger_due')
    .values({ reference_id: referenceId, due_at: dueAt })
    .onConflict((conflict) => conflict.column('reference_id').doUpdateSet({ due_at: dueAt }))
    .execute()
}

/** Nothing falls due any more, or not for now. */
export async function cancelDue(trx: Trx, referenceId: string): Promise<void> {
  await trx.deleteFrom('ledger_due').where('reference_id', '=', referenceId).execute()
}

/** For a time that the worker let pass while nothing could move; one that is still ahead stays. */
export async function scheduleUnlessDue(trx: Trx, referenceId: string, dueAt: string): Promise<void> {
  await trx
    .insertInto('ledger_due')
    .values({ reference_id: referenceId, due_at: dueAt })
    .onConflict((conflict) => conflict.column('reference_id').doNothing())
    .execute()
}
