import type { Trx } from '#sandbox/world/tables.ts'

/** Time until an accepted operation (202) is confirmed, by the ledger's clock. */
export const ACCEPTED_SECONDS = 4

/** A later call replaces the earlier time. */
export async function scheduleDue(trx: Trx, referenceId: string, dueAt: string): Promise<void> {
  await trx
    .insertInto('ledger_due')
    .values({ reference_id: referenceId, due_at: dueAt })
    .onConflict((conflict) => conflict.column('reference_id').doUpdateSet({ due_at: dueAt }))
    .execute()
}

export async function cancelDue(trx: Trx, referenceId: string): Promise<void> {
  await trx.deleteFrom('ledger_due').where('reference_id', '=', referenceId).execute()
}

/** Keeps an earlier time. */
export async function scheduleUnlessDue(trx: Trx, referenceId: string, dueAt: string): Promise<void> {
  await trx
    .insertInto('ledger_due')
    .values({ reference_id: referenceId, due_at: dueAt })
    .onConflict((conflict) => conflict.column('reference_id').doNothing())
    .execute()
}
