import 'server-only'

/** What other features may use of transactions, on the server. */
export { findStatesSeen, type SeenState, statesSeen } from './states-seen.ts'
export { type HistoryPage, readAccountHistory, readTransaction } from './transaction-service.ts'
