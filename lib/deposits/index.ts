/** What other features may use of deposits, in a browser too. */
export {
  type AmountComparison,
  BANK_REFERENCE_MAX_CHARS,
  bankReferenceFault,
  compareAmounts,
  confirmFault,
} from './deposit.ts'
