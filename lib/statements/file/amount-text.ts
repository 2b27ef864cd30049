import 'server-only'

/** Which character stands before the cents. */
export type DecimalMark = 'point' | 'comma'

/** Groups of thousands: spaces of any kind, apostrophes, and the mark that is not the decimal one. */
const GROUPING: Readonly<Record<DecimalMark, RegExp>> = {
  point: /[\s\u00a0\u202f'’,]/g,
  comma: /[\s\u00a0\u202f'’.]/g,
}

/**
 * A bank's amount as decimal text with a point; null when it is none. A sign stays: money received has none, or a plus.
 */
export function amountText(given: string, mark: DecimalMark): string | null {
  const text = given.trim().replace(GROUPING[mark], '').replace(',', '.').replace(/^\+/, '')
  return /^-?\d{1,30}(\.\d{0,8})?$/.test(text) ? text.replace(/\.$/, '') : null
}
