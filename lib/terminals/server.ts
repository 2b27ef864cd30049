import 'server-only'

export { listTerminals, readTerminal } from './terminal-service.ts'
