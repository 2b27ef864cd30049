/** The bank's side of deposits and withdrawals. Its balance is minus the sum of all others. */
export const RESERVE_ACCOUNT_ID = '00000000-0000-4000-8000-0000000000a0'

export const FEES_ACCOUNT_ID = '00000000-0000-4000-8000-0000000000a1'

const withoutHistory = new Set([RESERVE_ACCOUNT_ID, FEES_ACCOUNT_ID])

/** No user reads the history of the service's own accounts. */
export const keepsHistory = (accountId: string): boolean => !withoutHistory.has(accountId)
