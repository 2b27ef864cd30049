/** interface.md, "Conventions on data". */
export const PLACES = 8

export const isAmount = (text: string): boolean => /^-?\d{1,30}(\.\d{1,8})?$/.test(text)

function partsOf(text: string): readonly [sign: '-' | '', whole: string, places: string] {
  const [whole = '', places = ''] = text.replace(/^-/, '').split('.')
  return [text.startsWith('-') && /[1-9]/.test(text) ? '-' : '', whole.replace(/^0+(?=\d)/, ''), places]
}

export function exactText(text: string): string {
  const [sign, whole, places] = partsOf(text)
  return `${sign}${whole}.${places.padEnd(PLACES, '0')}`
}

/** Two places unless more are needed, and a real minus sign. */
export function shownText(text: string): string {
  const [sign, whole, places] = partsOf(text)
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',')
  return `${sign === '' ? '' : '−'}${grouped}.${places.replace(/0+$/, '').padEnd(2, '0')}`
}

export const shownAmount = (text: string): string => (isAmount(text) ? shownText(text) : text)

const WHOLE_DIGITS_MAX = 30

export type AmountFault =
  | 'empty'
  | 'not-a-number'
  /** It could separate thousands or cents. */
  | 'comma'
  | 'other-currency'
  | 'negative'
  | 'too-many-places'
  | 'too-long'

type TypedAmount = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly fault: AmountFault }

const OWN_CURRENCY = /^BZ[D$]\s*(?=[\d+−-])|(?<=\d)\s*BZ[D$]$/gi

const OTHER_CURRENCY = /\p{Sc} ?\d|\d ?\p{Sc}|^\p{L}{3} ?\d|\d ?\p{L}{3}$/u

/** Groups by commas or by spaces; cents after a point only. */
const GROUPED = /^(?:\d+|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,2}(?: \d{3})+)(?:\.\d+)?$/

/** `1,250`: thousands here, a fraction elsewhere. */
const AMBIGUOUS = /^\d+,\d+$/

/** `1250`, `1,250.00`, `1 250.00`, `BZD 1,250.00`. */
export function readTypedAmount(typed: string): TypedAmount {
  const spaced = typed.replace(/[\s\u00a0\u2009\u202f]+/g, ' ').trim()
  if (spaced === '') return { ok: false, fault: 'empty' }
  const text = spaced.replace(OWN_CURRENCY, '').replace(/^\+ ?/, '')
  if (/^[-−]/.test(text)) return { ok: false, fault: 'negative' }
  if (OTHER_CURRENCY.test(text)) return { ok: false, fault: 'other-currency' }
  if (!GROUPED.test(text) || AMBIGUOUS.test(text)) {
    return { ok: false, fault: text.includes(',') ? 'comma' : 'not-a-number' }
  }
  const plain = text.replace(/[, ]/g, '')
  const [whole = '', places = ''] = plain.split('.')
  if (whole.length > WHOLE_DIGITS_MAX) return { ok: false, fault: 'too-long' }
  return places.length > PLACES ? { ok: false, fault: 'too-many-places' } : { ok: true, text: plain }
}
