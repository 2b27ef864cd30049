import 'server-only'

/** What other features may use of terminals, on the server. */
export { listTerminals, readTerminal } from './terminal-service.ts'
