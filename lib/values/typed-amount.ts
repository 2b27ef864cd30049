import { PLACES } from './amount-text.ts'

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
