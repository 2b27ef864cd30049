import { isStorable, UNSTORABLE_WORDS } from '#lib/contract/json.ts'
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

export function textFault(text: string, maxChars: number): string | null {
  const length = [...text].length
  if (length > maxChars) return `At most ${maxChars} characters; this has ${formatCount(length)}.`
  if (!text.isWellFormed()) return 'It has an incomplete character. Enter it again.'
  const shown = visibleText(text)
  if (shown === text) return null
  return `It has an invisible character, ${/\[U\+\w+\]/.exec(shown)?.[0]}. Enter it without it.`
}

export const lineFault = (text: string, maxChars: number): string | null =>
  /[\n\r\t]/.test(text) ? 'Enter a single line without tabs.' : textFault(text, maxChars)

const BETWEEN = String.raw`[\s\p{Dash_Punctuation}\u2212._\/·]{1,3}`

/** Matches may overlap. */
const WRITTEN = [
  String.raw`\d{13,19}`,
  String.raw`\d{4}(${BETWEEN})\d{4}\2\d{4}\2\d{1,7}`,
  String.raw`\d{4}(${BETWEEN})\d{4}\2\d{4}\2\d{4}\2\d{1,3}`,
  String.raw`\d{4}(${BETWEEN})\d{6}\2\d{4,5}`,
].map((written) => new RegExp(String.raw`(?<!\d)(?=(${written})(?!\d))`, 'gu'))

/** One UUID in some thousand contains digits that pass as a card number. */
const ID = /(?<!\w)[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?!\w)/gi

/** ASCII digits for those of any script, which Unicode has in runs of ten. */
export const plainDigits = (text: string): string =>
  withoutInvisible(text)
    .normalize('NFKC')
    .replace(/(?!\d)\p{Nd}/gu, (digit) => {
      const code = digit.codePointAt(0) ?? 0
      let zero = code
      while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
      return String((code - zero) % 10)
    })

/** Card numbers must not reach the journal. */
export const holdsCardNumber = (text: string): boolean => cardNumbersIn(text).length > 0

function cardNumbersIn(text: string): string[] {
  const others = plainDigits(text).replace(ID, 'id')
  const written = WRITTEN.flatMap((one) => [...others.matchAll(one)].map(([, found = '']) => found))
  return written.filter((found) => sumsUp(found.replace(/\D/g, '')))
}

export function withoutCardNumbers(text: string): string {
  const found = cardNumbersIn(text)
  return found.reduce((left, one) => left.replaceAll(one, ' '), found.length > 0 ? plainDigits(text) : text)
}

/** Luhn's check. */
function sumsUp(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const counted = Number(digit) * (place % 2 === 1 ? 2 : 1)
    return total + (counted > 9 ? counted - 9 : counted)
  }, 0)
  return sum % 10 === 0
}

export const NOTE_MAX_CHARS = 500

export function noteFault(text: string, ask: string): string | null {
  if (text.trim() === '') return ask
  return holdsCardNumber(text) ? CARD_NUMBER_WORDS : lineFault(text.trim(), NOTE_MAX_CHARS)
}

export const CARD_NUMBER_WORDS = 'Remove the card number: card numbers must never be recorded.'

export function requiredTextFault(typed: string, maxChars: number, ask: string): string | null {
  const text = typed.trim()
  if (text === '') return ask
  const length = [...text].length
  if (length > maxChars) return `At most ${formatCount(maxChars)} characters; this has ${formatCount(length)}.`
  if (!isStorable(text)) return UNSTORABLE_WORDS
  return holdsCardNumber(text) ? CARD_NUMBER_WORDS : null
}

const folded = (text: string): string => text.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase()

/** The service may normalize texts. */
export const isSameText = (one: string, other: string): boolean => folded(one) === folded(other)

const LOOK_UP_MAX_CHARS = 512

/** Null if the text can be looked up. Card numbers are refused. */
export function lookUpFault(text: string): string | null {
  const length = [...text].length
  if (length > LOOK_UP_MAX_CHARS) {
    return `Too long: ${formatCount(length)} characters. Look-ups take at most ${LOOK_UP_MAX_CHARS}.`
  }
  if (!text.isWellFormed() || /\p{Cc}/u.test(text)) return 'Paste a single id or reference.'
  return holdsCardNumber(text) ? 'Card numbers are never looked up. Find cards on the Cards page.' : null
}
