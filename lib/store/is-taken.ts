import 'server-only'
import { isDatabaseError } from '#lib/database/database-error.ts'

const UNIQUE_VIOLATION = '23505'

/** The second of two simultaneous writers gets this too. */
export const isTaken = (error: unknown): boolean => isDatabaseError(error) && error.code === UNIQUE_VIOLATION
