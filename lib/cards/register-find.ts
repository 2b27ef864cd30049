import { isUuid } from '#lib/values/uuid.ts'

/** What is wrong with what somebody wants to find on the register; null when it can be looked for. */
export function findFault(typed: string): string | null {
  const text = typed.trim()
  if (text === '' || isUuid(text) || /^\d{4}$/.test(text)) return null
  return 'Enter a holder’s user id, a card id, or the last four digits, and never a whole card number.'
}
