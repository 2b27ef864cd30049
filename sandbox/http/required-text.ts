import { invalidField } from './problem.ts'

/** Neither can be stored as it came: the database has no place for the one, and the other is half of a character. */
const UNSTORABLE = /[\0\p{Cs}]/u

/** Text that somebody has to give, kept exactly as it came. Refuses what is blank, too long or cannot be stored. */
export function requiredText(field: string, text: string, maxChars: number): string {
  if (text.trim() === '') throw invalidField(field, 'is required')
  if (text.length > maxChars) throw invalidField(field, `has at most ${maxChars} characters`)
  if (UNSTORABLE.test(text)) throw invalidField(field, 'must not have NUL or halves of characters')
  return text
}
