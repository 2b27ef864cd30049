import 'server-only'

export { findStatesSeen, type SeenState, statesSeen } from './states-seen.ts'
export { type HistoryPage, readAccountHistory, readTransaction } from './transaction-service.ts'
