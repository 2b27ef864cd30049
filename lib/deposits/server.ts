import 'server-only'

/** What other features may use of deposits, on the server. */
export { compareAmounts, confirmFault } from './amounts.ts'
export { bankLock, foldBankReference } from './deposit.ts'
