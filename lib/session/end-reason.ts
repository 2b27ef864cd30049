import { noteFault } from '#lib/values/typed-line.ts'

export const endReasonFault = (reason: string): string | null => noteFault(reason, 'Say why.')
