import type { Trx } from '#sandbox/world/tables.ts'

/** The bank's side of deposits and withdrawals. What stands everywhere else is exactly what is missing here. */
export const RESERVE_ACCOUNT_ID = '00000000-0000-4000-8000-0000000000a0'

/** Where fees go. */
export const FEES_ACCOUNT_ID = '00000000-0000-4000-8000-0000000000a1'

const withoutHistory = new Set([RESERVE_ACCOUNT_ID, FEES_ACCOUNT_ID])

/** The service's own accounts are no user's, so nobody reads their history. */
export const keepsHistory = (accountId: string): boolean => !withoutHistory.has(accountId)

export async function openAccount(trx: Trx, id: string, kind: 'wallet' | 'merchant'): Promise<void> {
  await trx.insertInto('account').values({ id, kind }).execute()
}
