import { noteFault } from '#lib/values/text.ts'

export const endReasonFault = (reason: string): string | null => noteFault(reason, 'Say why.')
