/** PostgreSQL rejects NUL, and a lone surrogate would change. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

export const UNSTORABLE_WORDS = 'This has a character that cannot be sent. Type it again.'

/** Iterative, because deeply nested input would overflow the call stack. */
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
