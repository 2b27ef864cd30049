import 'server-only'
import { isDatabaseError } from '#lib/database/database-error.ts'

const UNIQUE_VIOLATION = '23505'

export const isTaken = (error: unknown): boolean => isDatabaseError(error) && error.code === UNIQUE_VIOLATION
