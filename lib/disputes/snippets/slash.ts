/** Where in a field a slash stands at the beginning of a word, right before the caret; null when none does. */
export function slashBefore(text: string, caret: number): number | null {
  if (text[caret - 1] !== '/') return null
  const before = text[caret - 2]
  return before === undefined || /[\s(]/.test(before) ? caret - 1 : null
}
