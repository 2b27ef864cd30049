import 'server-only'

/** What other features may use of disputes, on the server. */
export { findCases } from './find-cases.ts'
