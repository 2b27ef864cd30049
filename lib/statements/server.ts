import 'server-only'

/** What other features may use of statements, on the server. */
export { type FoundLine, findLines } from './line-search.ts'
