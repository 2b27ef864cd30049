import 'server-only'

/** What other features may use of cards, on the server. */
export { issuedBy } from './issued-card-table.ts'
