/** Public interface; safe in a browser. */
export type { AmountComparison } from './amounts.ts'
export { BANK_REFERENCE_MAX_CHARS, bankReferenceFault } from './deposit.ts'
