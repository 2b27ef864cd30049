import 'server-only'

export { readCard } from './card-service.ts'
/** The public interface of cards on the server. */
export { issuedBy } from './issued-card-table.ts'
export { readRegister } from './register-access.ts'
