import 'server-only'

export { compareAmounts, confirmFault } from './amounts.ts'
export { bankLock, foldBankReference } from './deposit.ts'
