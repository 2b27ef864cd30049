import { MONEY_PLACES } from '#lib/contract/endpoint.ts'

/** An amount in units of 0.00000001. */
export type Units = bigint

const UNITS_PER_ONE = 10n ** BigInt(MONEY_PLACES)

/** Digits before the point; the columns have room for sums. */
const WHOLE_DIGITS_MAX = 12

export type ReadAmount = { readonly ok: true; readonly units: Units } | { readonly ok: false; readonly why: string }

/** Reads the literal of a JSON number. The exponent is checked before it is applied, which bounds the work. */
export function readAmount(literal: string): ReadAmount {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal)
  if (match === null) return { ok: false, why: 'must be a number' }
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const text = whole + fraction
  const first = text.search(/[1-9]/)
  if (first === -1 || sign === '-') return { ok: false, why: 'must be greater than zero' }
  const digits = withoutZerosAtEnd(text.slice(first))
  const before = whole.length - first + Number(exponent)
  const places = digits.length - before
  if (before > WHOLE_DIGITS_MAX) return { ok: false, why: 'must be less than 1,000,000,000,000' }
  if (places > MONEY_PLACES) return { ok: false, why: `must have at most ${MONEY_PLACES} decimal places` }
  return { ok: true, units: BigInt(digits) * 10n ** BigInt(MONEY_PLACES - places) }
}

function withoutZerosAtEnd(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return digits.slice(0, end)
}

/** Eight places, as in every transaction response. */
export function formatUnits(units: Units): string {
  const absolute = units < 0n ? -units : units
  const whole = absolute / UNITS_PER_ONE
  const fraction = (absolute % UNITS_PER_ONE).toString().padStart(MONEY_PLACES, '0')
  return `${units < 0n ? '-' : ''}${whole}.${fraction}`
}

/** Reads text from the ledger's columns, without validation. */
export function parseUnits(text: string): Units {
  const negative = text.startsWith('-')
  const [whole = '0', fraction = ''] = (negative ? text.slice(1) : text).split('.')
  const units = BigInt(whole) * UNITS_PER_ONE + BigInt(fraction.padEnd(MONEY_PLACES, '0').slice(0, MONEY_PLACES))
  return negative ? -units : units
}
