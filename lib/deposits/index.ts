/** What other features may use of deposits, in a browser too. */
export type { AmountComparison } from './amounts.ts'
export { BANK_REFERENCE_MAX_CHARS, bankReferenceFault } from './deposit.ts'
