import 'server-only'
import { DatabaseError } from '#lib/database/database-error.ts'

/** SQLSTATE classes 22 (data) and 23 (constraints). */
const REFUSED = /^2[23]/

/** Whether a write failed so that it would fail the same again: the database refused it, or never got it. */
export const wasRefused = (error: unknown): boolean => !(error instanceof DatabaseError) || REFUSED.test(error.code)
