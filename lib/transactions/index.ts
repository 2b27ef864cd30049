/** What other features may use of transactions, in a browser too. */
export { referenceFault } from './reference.ts'
export { stateSince, transactionStateWords } from './transaction-state.ts'
