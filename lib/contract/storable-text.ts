/** Whether the store can hold a text as it is: it takes no NUL, and half a character would come back as another one. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

export const UNSTORABLE_WORDS = 'This has a character that cannot be sent. Type it again.'

/** Whether every text in a JSON value can be stored, names of fields included, at every depth. */
export function isStorableThroughout(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value)
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isStorableThroughout)
  return Object.entries(value).every(([name, inner]) => isStorable(name) && isStorableThroughout(inner))
}
