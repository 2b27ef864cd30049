/** Whether the store can hold a text as it is: it takes no NUL, and half a character would come back as another one. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

export const UNSTORABLE_WORDS = 'This has a character that cannot be sent. Type it again.'

/**
 * Whether every text in a JSON value can be stored, names of fields included, at every depth. It keeps what is still to be
 * looked at in a list: a body of brackets alone is deeper than calls can go.
 */
export function isStorableThroughout(value: unknown): boolean {
  const left: unknown[] = [value]
  while (left.length > 0) {
    const next = left.pop()
    if (typeof next === 'string' && !isStorable(next)) return false
    if (typeof next !== 'object' || next === null) continue
    if (!Array.isArray(next) && !Object.keys(next).every(isStorable)) return false
    for (const inner of Object.values(next)) left.push(inner)
  }
  return true
}
