import { MONEY_PLACES } from '#lib/contract/wire.ts'

/** An amount in units of 0.00000001: whole numbers add up exactly. */
export type Units = bigint

const UNITS_PER_ONE = 10n ** BigInt(MONEY_PLACES)

/** Twelve digits before the point: what the ledger's columns hold with room for sums. */
const WHOLE_MAX = 10n ** 12n

export type ReadAmount = { readonly ok: true; readonly units: Units } | { readonly ok: false; readonly why: string }

/** Reads the literal of a JSON number as an amount that can be moved: above zero, at most eight places. */
export function readAmount(literal: string): ReadAmount {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(literal)
  if (match === null) return { ok: false, why: 'must be written without an exponent' }
  const [, sign, whole = '', fraction = ''] = match
  if (sign === '-') return { ok: false, why: 'must be greater than zero' }
  if (fraction.length > MONEY_PLACES) return { ok: false, why: `must have at most ${MONEY_PLACES} decimal places` }
  if (BigInt(whole) >= WHOLE_MAX) return { ok: false, why: 'must be less than 1,000,000,000,000' }
  const units = BigInt(whole) * UNITS_PER_ONE + BigInt(fraction.padEnd(MONEY_PLACES, '0'))
  return units === 0n ? { ok: false, why: 'must be greater than zero' } : { ok: true, units }
}

/** Decimal text with eight places, as every transaction response has it. */
export function formatUnits(units: Units): string {
  const absolute = units < 0n ? -units : units
  const whole = absolute / UNITS_PER_ONE
  const fraction = (absolute % UNITS_PER_ONE).toString().padStart(MONEY_PLACES, '0')
  return `${units < 0n ? '-' : ''}${whole}.${fraction}`
}

/** Reads decimal text of the ledger's own columns. */
export function parseUnits(text: string): Units {
  const negative = text.startsWith('-')
  const [whole = '0', fraction = ''] = (negative ? text.slice(1) : text).split('.')
  const units = BigInt(whole) * UNITS_PER_ONE + BigInt(fraction.padEnd(MONEY_PLACES, '0').slice(0, MONEY_PLACES))
  return negative ? -units : units
}
