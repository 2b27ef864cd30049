/**
 * Characters that show nothing or only change how others read: controls, directional marks, joiners, variation selectors,
 * tags, fillers, the Braille blank and Unicode's line separators.
 */
const CHARACTER = String.raw`[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]`

/** All but the white space of a keyboard, and NUL, which is refused wherever text is typed. */
const INVISIBLE = new RegExp(String.raw`(?![\0\t\n\v\f\r])${CHARACTER}`, 'gu')

/** All but line ends, tabs, the joiners that scripts need, and the variation selectors of emoji and keycaps. */
const HIDDEN = new RegExp(
  String.raw`(?![\t\n\r\u200C\u200D]|(?<=\p{Extended_Pictographic})[\uFE0E\uFE0F]|(?<=[\d#*])\uFE0F\u20E3)${CHARACTER}`,
  'gu',
)

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** Text of wallet users made safe to read: what would be invisible is written out as `[U+202E]`. */
export const visibleText = (text: string): string => text.replace(HIDDEN, (character) => `[${codeOf(character)}]`)

/** A reference or id without the invisible characters that copying from a PDF or a chat brings. */
export const withoutInvisible = (text: string): string => text.replace(INVISIBLE, '')

/** A reference or id as it is looked up and sent: {@link withoutInvisible}, and without the space around it. */
export const cleanReference = (typed: string): string => withoutInvisible(typed).trim()

const NAMED_MAX = 5

/** What {@link withoutInvisible} removes, in words: `2 invisible characters: U+200B, U+00AD`. Null if nothing. */
export function invisibleWords(text: string): string | null {
  const found = text.match(INVISIBLE) ?? []
  if (found.length === 0) return null
  const codes = [...new Set(found.map(codeOf))]
  const named = codes.slice(0, NAMED_MAX).join(', ')
  const noun = found.length === 1 ? 'character' : 'characters'
  return `${found.length.toLocaleString('en-US')} invisible ${noun}: ${named}${codes.length > NAMED_MAX ? ', …' : ''}`
}
