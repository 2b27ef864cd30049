/** A slash that begins a word, directly before the caret. */
export function slashBefore(text: string, caret: number): number | null {
  if (text[caret - 1] !== '/') return null
  const before = text[caret - 2]
  return before === undefined || /[\s(]/.test(before) ? caret - 1 : null
}
