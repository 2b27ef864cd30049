import { invalidField } from './problem.ts'

/** PostgreSQL cannot store NUL, and a lone surrogate cannot be encoded in UTF-8. */
const UNSTORABLE = /[\0\p{Cs}]/u

export function requiredText(field: string, text: string, maxChars: number): string {
  if (text.trim() === '') throw invalidField(field, 'is required')
  if (text.length > maxChars) throw invalidField(field, `has at most ${maxChars} characters`)
  if (UNSTORABLE.test(text)) throw invalidField(field, 'must not have NUL or halves of characters')
  return text
}
