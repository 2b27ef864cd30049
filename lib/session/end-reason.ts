import { noteFault } from '#lib/values/typed-line.ts'

/** What is wrong with the reason for ending somebody's session; null when nothing is. It goes into the audit trail. */
export const endReasonFault = (reason: string): string | null => noteFault(reason, 'Say why.')
