import 'server-only'

export { readCard } from './card-service.ts'
export { issuedBy } from './issued-card-table.ts'
export { readRegister } from './register-access.ts'
