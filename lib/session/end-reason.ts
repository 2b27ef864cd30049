import { noteFault } from '#lib/values/typed-line.ts'

/** Null when the reason is valid. The audit trail stores it. */
export const endReasonFault = (reason: string): string | null => noteFault(reason, 'Say why.')
