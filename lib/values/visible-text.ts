import { formatCount } from './words.ts'

/** Invisible characters, and those that change how others display. */
const CHARACTER = String.raw`[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]`

/** Excludes typed white space, and NUL, which is refused elsewhere. */
const INVISIBLE = new RegExp(String.raw`(?![\0\t\n\v\f\r])${CHARACTER}`, 'gu')

/** Excludes joiners that scripts need, and variation selectors of emoji. */
const HIDDEN = new RegExp(
  String.raw`(?![\t\n\r\u200C\u200D]|(?<=\p{Extended_Pictographic})[\uFE0E\uFE0F]|(?<=[\d#*])\uFE0F\u20E3)${CHARACTER}`,
  'gu',
)

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** `[U+202E]`: hidden characters in wallet users' text must not deceive the reader. */
export const visibleText = (text: string): string => text.replace(HIDDEN, (character) => `[${codeOf(character)}]`)

/** Copying from a PDF or chat adds such characters. */
export const withoutInvisible = (text: string): string => text.replace(INVISIBLE, '')

export const cleanReference = (typed: string): string => withoutInvisible(typed).trim()

const NAMED_MAX = 5

export function invisibleWords(text: string): string | null {
  const found = text.match(INVISIBLE) ?? []
  if (found.length === 0) return null
  const codes = [...new Set(found.map(codeOf))]
  const named = codes.slice(0, NAMED_MAX).join(', ')
  const noun = found.length === 1 ? 'character' : 'characters'
  return `${formatCount(found.length)} invisible ${noun}: ${named}${codes.length > NAMED_MAX ? ', …' : ''}`
}
