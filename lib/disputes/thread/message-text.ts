import { textFault } from '#lib/values/typed-text.ts'

/** Longer than anybody reads; what the service takes is its own business. */
const MESSAGE_MAX_CHARS = 4_000

/** What is wrong with a message as it was typed; null when it can be posted. */
export const messageFault = (typed: string): string | null =>
  textFault(typed, MESSAGE_MAX_CHARS, 'Write a message first.')

/** The line of an outcome that tells which message of the thread it is. */
export const MESSAGE_LINE = 'Message'
