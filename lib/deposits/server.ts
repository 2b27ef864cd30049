import 'server-only'

/** What other features may use of deposits, on the server. */
export { bankLock } from './deposit.ts'
