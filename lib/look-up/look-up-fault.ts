import { holdsCardNumber } from '#lib/values/text.ts'

const TEXT_MAX_CHARS = 512

/** Null if the text can be looked up. Card numbers are refused. */
export function lookUpFault(text: string): string | null {
  const length = [...text].length
  if (length > TEXT_MAX_CHARS) {
    return `Too long: ${length.toLocaleString('en-US')} characters. Look-ups take at most ${TEXT_MAX_CHARS}.`
  }
  if (!text.isWellFormed() || /\p{Cc}/u.test(text)) {
    return 'Paste a single id or reference.'
  }
  return holdsCardNumber(text) ? 'Card numbers are never looked up. Enter the last four digits.' : null
}
