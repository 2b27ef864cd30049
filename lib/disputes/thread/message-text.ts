import { requiredTextFault } from '#lib/values/text.ts'

/** The service has its own limit. */
const MESSAGE_MAX_CHARS = 4_000

export const messageFault = (typed: string): string | null =>
  requiredTextFault(typed, MESSAGE_MAX_CHARS, 'Write a message first.')

export const MESSAGE_LINE = 'Message'
