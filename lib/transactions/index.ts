/** Public interface; safe in a browser. */
export { referenceFault } from './reference.ts'
export { stateSince, transactionStateWords } from './transaction-state.ts'
