import 'server-only'
import { isDatabaseError } from '#lib/database/database-error.ts'

const UNIQUE_VIOLATION = '23505'

/** Whether a write was refused since another row has what only one may have. It is told to the second of two at once as well. */
export const isTaken = (error: unknown): boolean => isDatabaseError(error) && error.code === UNIQUE_VIOLATION
