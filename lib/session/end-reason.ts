import { noteFault } from '#lib/values/typed-line.ts'

/** Null when the reason for ending another person's session is valid. The audit trail stores the reason. */
export const endReasonFault = (reason: string): string | null => noteFault(reason, 'Say why.')
